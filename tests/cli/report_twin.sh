# Random tables (fixed numbers), whose verdicts a second program computes from the text of docs/claims.md by NumPy and SciPy:
# verdict, outcome, p, intervals, margins, starts and replicates must agree. SB_TEST_TABLES is how many.
python=
for each in "${SB_PYTHON:-python3}" /usr/bin/python3; do
    "$each" -c 'import numpy, scipy' 2>/dev/null || continue
    python=$each
    break
done
[ -n "$python" ] || { echo "skipped: no Python with NumPy and SciPy (pip install scipy; SB_PYTHON names it)"; exit 77; }
export PYTHONDONTWRITEBYTECODE=1 OPENBLAS_NUM_THREADS=1
expect 0 ' 0 disagree: ' "$python" "$SB_SOURCE/tests/twin/verdicts.py" samebits-report "${SB_TEST_TABLES:-200}"
