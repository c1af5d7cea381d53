# Manual pages and completions, made from the tables of verbs: checked by the tools that read them where those are here,
# and completion typed into bash.
programs='samebits samebits-data samebits-matrix samebits-report'
for program in $programs; do
    for format in man bash zsh fish; do $program help --format $format >$program.$format; done
    if command -v mandoc >/dev/null; then
        mandoc -Tlint -W warning $program.man || { echo "FAILED: $program.man"; exit 1; }
    fi
    if command -v groff >/dev/null; then
        [ -z "$(groff -ww -man -Tutf8 $program.man 2>&1 >/dev/null)" ] || { echo "FAILED: groff on $program.man"; exit 1; }
    fi
    bash -n $program.bash
    for shell in zsh fish; do
        if command -v $shell >/dev/null; then $shell -n $program.$shell; fi
    done
    # every verb of the program's help has its section
    $program --help | sed -n 's/^  \([a-z]\+\( [a-z]\+\)\?\)  .*/\1/p' >verbs
    [ "$(wc -l <verbs)" -gt 4 ]
    while read -r verb; do
        grep -q "^\.SS $program $verb\( \[options\]\)\?\( .*\)\?$" $program.man || { echo "FAILED: no $program $verb"; exit 1; }
    done <verbs
done

# typed WORD...: what completing the last word offers, in one line
typed() {
    (
        . ./"$1".bash
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        "_${1//-/_}"
        echo "${COMPREPLY[*]}"
    )
}
offers() {
    local wanted=$1
    shift
    [ "$(typed "$@")" = "$wanted" ] || { echo "FAILED: '$*' offers '$(typed "$@")', wanted '$wanted'"; exit 1; }
}
offers 'train trace' samebits tra
offers 'direct winograd winograd-flush imitate-atomics imitate-tf32 imitate-flush imitate-functions imitate-unfused imitate-ties imitate-gpu' \
    samebits train --arithmetic ''
offers '--tied --test-flip --truncation --target --tf32 --threads' samebits train --t
offers 'list build lock' samebits-matrix image ''
offers '--base' samebits-matrix image build --b
offers '--frames' samebits-data synth walk --fr
touch walk.h5
offers 'walk.h5' samebits train --data wal
offers 'help' samebits-report hel
expect 2 "samebits help: unknown format 'bsh', did you mean 'bash'" samebits help --format bsh
