# A system call of samebits-report, or of a program that it calls, that fails: no exit code 0 over a page, a figure or a
# table that is not there or not whole, and the same bytes from the same command afterwards.
. "$SB_SOURCE/tests/cli/faults.sh"
fake_results results --settings 1 --seeds 2 --updates 20 --effect 1.5

# every file is the wanted one; "broken": each that is there
judge_report() {
    local file
    if [ "$1" = whole ]; then diff -r wanted out/report; return; fi
    [ -e out/report ] || return 0
    for file in $(cd out/report && find . -type f ! -name '*.part'); do cmp "wanted/$file" "out/report/$file" || return 1; done
}
walk_report() { # VERB...
    rm -rf out wanted
    mkdir out
    samebits-report "$@" -i results -o out/report >said 2>&1 || { cat said; exit 1; }
    mv out/report wanted
    walk "${*: -1}" "${cases_of-6}" judge_report samebits-report "$@" -i results -o out/report
}
walk_report write --only tables
walk_report write --only numbers
if command -v gnuplot >/dev/null; then
    cases_of=4 walk_report write
    # One write of a picture in its middle, which gnuplot itself would not notice.
    for at in $(grep ' write .*\.svg\.part$' calls.all | cut -d' ' -f1 | sed -n '1p;3p'); do
        one_case EIO "$at" judge_report samebits-report write -i results -o out/report
        case $case_text in *'-> 1') echo "ok: $case_text" ;; *) wrong "an exit code that says something else" ;; esac
    done
else
    echo "left out: figures: no gnuplot"
fi

# ---- as one file, and back ----
walk_report export
samebits-report export -i results -o results.tar.gz >said
judge_folder() {
    local table
    if [ "$1" = broken ] && [ ! -e out/new ]; then return; fi
    for table in cells curves timing coverage; do cmp results/$table.csv out/new/$table.csv || return 1; done
    (cd out/new && sha256sum --quiet -c SHA256SUMS)
}
walk import 6 judge_folder samebits-report import results.tar.gz -o out/new
