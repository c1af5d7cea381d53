# The paper of results with the texts of report_texts.sh in every place for one: it is typeset, it shows them, no command in
# them is run and no file that they name is read.
for program in gnuplot perl rsvg-convert latexmk pdflatex pdftotext; do
    command -v $program >/dev/null || { echo "skipped: no $program"; exit 77; }
done
. "$SB_SOURCE/tests/support/texts.sh"
. "$SB_SOURCE/tests/support/hostile_results.sh"
hostile_sentences
hostile_tables
rm -r bad/runs
hostile_machine
seal bad
must report write --only paper --text "$SB_SOURCE/paper/paper.tex" -o paper "${more[@]}"
nothing_ran
pdftotext paper/paper.pdf - | tr -s ' \n' '  ' >words
grep -qF 'touch pwned|touch pwned&&' words || { echo "FAILED: the text is not in the paper"; exit 1; }
lacks words 'the secret words' # of a file that a text names
