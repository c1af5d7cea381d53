# The cells of docs/examples/read_run.ipynb run in their order, and the losses of the run are those that it shows.
python=
for each in "${SB_PYTHON:-python3}" /usr/bin/python3; do # the distribution's has the packages, another may come first
    if [ -z "$python" ] && "$each" -c 'import h5py, pandas, xarray, h5netcdf' 2>/dev/null; then python=$each; fi
done
[ "$python" ] || { echo 'skipped: no Python with h5py, pandas, xarray and h5netcdf here'; exit 77; }
samebits-data synth walk --size 48x32 --frames 60 --seed 1 -o walk.h5 >/dev/null 2>&1
samebits train --data walk.h5 --channels 3,4 --updates 6 --quiet -o run.h5 >/dev/null 2>&1
cat >cells.py <<'END'
import json, sys
cells = [cell for cell in json.load(open(sys.argv[1]))["cells"] if cell["cell_type"] == "code"]
names = {}
for cell in cells:
    exec("".join(cell["source"]), names)
shown = "".join("".join(line) for cell in cells for output in cell["outputs"] for line in output["data"]["text/plain"])
assert len(cells) == 4 and names["settings"]["seed"] == 1
for loss in names["train"]["loss_last"].values:
    assert f"{loss:.6f}" in shown, loss
END
RESULTS=$SB_SOURCE/results/demo-reference "$python" cells.py "$SB_SOURCE/docs/examples/read_run.ipynb"
