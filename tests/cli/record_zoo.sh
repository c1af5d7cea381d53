# The zoo of faults (tests/zoo): every case is named as its table says, and watch finds nothing on right sides. SB_CASES: some.
export SAMEBITS_LIBRARY=$SB_LIBRARY PYTHONPATH=$SB_SOURCE/python PYTHONDONTWRITEBYTECODE=1
# shellcheck disable=SC2086
"${SB_PYTHON:-python3}" "$SB_SOURCE/tests/zoo/judge.py" -o zoo $SB_CASES
