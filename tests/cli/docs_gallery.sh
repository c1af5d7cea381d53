# The three trainings of docs/gallery.md: the sentences that name each difference, and a figure.
python=${SB_PYTHON:-python3}
"$python" -c 'import torch, numpy' 2>/dev/null || { echo 'skipped: no PyTorch here'; exit 77; }
export SAMEBITS_LIBRARY=$SB_BUILD/lib/libsamebits.so PYTHONPATH=$SB_SOURCE/python
gallery() { "$python" "$SB_SOURCE/docs/examples/gallery.py" "$@" 2>/dev/null; } # CASE VARIANT -o FILE

gallery target copied --trace 1 -o copied.h5
gallery target shared --trace 1 -o shared.h5
expect 1 '^first difference: update 1, gradient of 0\.weight \([34] of 4 tensors of the gradient\)$' samebits bisect copied.h5 shared.h5
also '^the first that differs: mse_loss_backward, backward, MseLossBackward0, gallery\.py:'
also '^  reads  target  float32 \[1, 1, 16, 16\]  other numbers$'
also '^changed outside: the numbers on side b changed between two operations'

gallery product float32 --trace 1 -o float32.h5
gallery product tf32 --trace 1 -o tf32.h5
expect 1 '^the first that differs: addmm, forward, module 0, gallery\.py:' samebits bisect float32.h5 tf32.h5
also '^error over what rounding explains: a [0-9.]+, b [0-9.e+]+: more than rounding$'

gallery loader 0 -o alone.h5
gallery loader 2 -o workers.h5
expect 1 '^first difference: update 1, batch 0 ' samebits diff alone.h5 workers.h5

gallery target copied --nudge 1 -o nudged.h5
for run in copied shared nudged; do samebits export $run.h5 -o $run.csv; done
gnuplot -e "name='t'; a='copied.csv'; b='shared.csv'; n='nudged.csv'; output='g.svg'" "$SB_SOURCE/docs/examples/gallery.gp"
expect 0 'between the two variants' cat g.svg
