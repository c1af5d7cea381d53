# The tests of the Python package: SB_TESTS names their files, SB_PYTHON the Python. What skips all of its tests is skipped.
export SAMEBITS_LIBRARY=$SB_LIBRARY PYTHONPATH=$SB_SOURCE/python PYTHONDONTWRITEBYTECODE=1
python=${SB_PYTHON:-python3}
command -v "$python" >/dev/null || { echo "no $python"; exit 77; }
for test in $SB_TESTS; do cp "$SB_SOURCE/python/tests/$test.py" .; done
status=0
"$python" -m unittest discover -v -s . -p 'test_*.py' >said 2>&1 || status=$?
tail -n 8 said
n=$(sed -n 's/^Ran \([0-9]*\) tests* .*/\1/p' said)
skipped=$(sed -n 's/.*(skipped=\([0-9]*\)).*/\1/p' said)
if [ "$n" = "${skipped:-0}" ]; then exit 77; fi
if [ $status != 0 ]; then cat said; exit 1; fi
