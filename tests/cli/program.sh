# What the four programs have in common: help in every spelling, the version, and one sentence for each kind of mistake.

# verbs PROGRAM: its verbs, one a line, as its help lists them
verbs() {
    "$1" --help | sed -n 's/^  \([a-z]\+\( [a-z]\+\)\?\)   *[^ ].*/\1/p'
}

# doubled WORD: its last letter twice
doubled() {
    sed "s/.\$/&&/" <<<"$1"
}

n=0
for program in samebits samebits-data samebits-matrix samebits-report; do
    expect 0 "^$program [0-9]+\.[0-9]+\.[0-9]+ \(revision [0-9a-z-]+\)$" $program --version
    [ "$(wc -l <expect.out)" = 1 ]
    expect 0 "^usage: $program VERB" $program --help
    also '^exit codes: 0 holds, 1 differs'
    cp expect.out help.out
    for spelling in -h help; do
        expect 0 . $program $spelling
        same expect.out help.out
    done
    expect 2 "^$program: wants a verb \(see '$program --help'\)$" $program
    expect 2 "^$program: unknown verb 'qqq' \(see '$program --help'\)$" $program qqq
    expect 2 "^$program: unknown verb 'qqq' \(see '$program --help'\)$" $program help qqq
    if $program --help >/dev/full 2>full.out; then echo "FAILED: $program --help into a full device"; exit 1; fi
    grep -q "^$program: cannot write to standard output$" full.out

    verbs $program >verbs.out
    verb=$(tail -n 1 verbs.out)
    expect 0 "^usage: $program $verb" $program help $verb
    expect 2 "^$program $verb: unknown option '--qqq' \(see" $program $verb --qqq=3

    [ "$(wc -l <verbs.out)" -ge 8 ] || { echo "FAILED: $program lists too few verbs"; exit 1; }
    while read -r verb; do
        n=$((n + 1))
        expect 0 "^usage: $program $verb" $program $verb --help
        cp expect.out help.out
        expect 0 . $program $verb -h
        same expect.out help.out
        expect 2 "^$program $verb: unknown option '-Q' \(see '$program $verb --help'\)$" $program $verb -Q

        # the first of its options, misspelt, and without its value
        option=$(sed -n 's/^  ..\(, \|  \)\(--[a-z0-9-]*\) .*/\2/p' help.out | head -1)
        if [ -n "$option" ]; then
            wrong=$(doubled "$option")
            expect 2 "^$program $verb: unknown option '$wrong', did you mean '--[a-z-]+'\? \(see" $program $verb $wrong x
            expect 2 "^$program $verb: $option (wants a value|takes no value)$" $program $verb $option${option:+$(
                grep -qE "^  (-., |    )$option [A-Z]|^  (-., |    )$option [a-z|]*\|" help.out || echo =x)}
        fi
        # what it cannot do without is named, with the option's letter where it has one
        if grep -q '(needed)$' help.out && ! grep -qE "^usage: .*\] [A-Z]" help.out; then
            expect 2 "^$program $verb: wants (-[a-z]|--[a-z]+)( [A-Za-z.]+)?: .* \(see '$program $verb --help'\)$" $program $verb
        fi
        # a misspelt verb
        case $verb in
        *\ *) expect 2 "^$program ${verb% *}: unknown verb '$(doubled "${verb#* }")', did you mean '${verb#* }'\?" \
            $program ${verb% *} "$(doubled "${verb#* }")" ;;
        *) expect 2 "^$program: unknown verb '$(doubled "$verb")', did you mean '$verb'\?" $program "$(doubled "$verb")" ;;
        esac
    done <verbs.out
done
[ "$n" -ge 40 ] || { echo "FAILED: only $n verbs were tried"; exit 1; }

# A group of verbs
expect 0 '^usage: samebits-data convert VERB' samebits-data convert --help
also '^  convert fpsi '
lacks expect.out synth # the help of a group lists no other
expect 0 '^usage: samebits-matrix image VERB' samebits-matrix help image
expect 2 "^samebits-matrix image: wants a verb \(see 'samebits-matrix image --help'\)$" samebits-matrix image
expect 2 "^samebits-data: unknown verb 'convrt', did you mean 'convert'\? \(see" samebits-data convrt mnist

# A verb shows the options that it has, and no others: what comes from the run file cannot be given.
for verb in eval check; do
    samebits $verb --help >help.out
    for option in --model --channels --window --hidden --batch --seed --ulp --target --lr; do
        if grep -q -- " $option " help.out; then echo "FAILED: $verb --help lists $option"; exit 1; fi
    done
    grep -q -- ' --backend native|openblas|' help.out
done
if grep -q -- ' --data ' help.out; then echo "FAILED: check --help lists --data"; exit 1; fi
