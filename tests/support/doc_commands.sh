# Run the commands of a manual as they stand there; sourced by command-line tests. doc_commands.awk says what counts as a
# command, how a manual shows an exit code and an output, and how it marks a block that no test runs.
#
#     doc_run "$SB_SOURCE/docs/own-video.md"    # from the current folder, with the programs on PATH, in the manual's order
#
# The commands share one shell: what they export and where they cd holds for those after them, not for the test.
# The first command with another exit code than the manual's, or with another output than it shows, ends the test. The
# last line counts: "own-video.md: 9 commands run, 2 outputs compared, 1 command not run".

doc_run() (
    doc_manual=$(basename "$1") doc_folder=$PWD doc_n_run=0 doc_n_compared=0 doc_n_skipped=0
    awk -f "$SB_SOURCE/tests/support/doc_commands.awk" "$1" >doc.script || doc_broken 'cannot be read'
    bash -n doc.script || doc_broken 'a command ends in the middle of a line; write \ there'
    . ./doc.script
    [ $((doc_n_run + doc_n_skipped)) -gt 0 ] || doc_broken 'no command found in it'
    echo "$doc_manual: $doc_n_run commands run, $doc_n_compared outputs compared, $doc_n_skipped not run"
    rm -f "$doc_folder"/doc.{script,out,block}
)

doc_broken() {
    echo "FAILED: $doc_manual: $1"
    exit 1
}

# doc_block: a new block of commands begins; what earlier ones printed is forgotten
doc_block() {
    : >"$doc_folder/doc.block"
}

# doc_begin LINE COMMAND: what comes next; its output goes to doc.out
doc_begin() {
    doc_command=$2 doc_started=$SECONDS
    set +e # the next command may end with any code; doc_end looks at it
}

# doc_end LINE WANTED GOT
doc_end() {
    set -e
    if [ "$2" != "$3" ]; then
        echo "FAILED: $doc_manual:$1: wanted exit code $2, got $3 from"
        printf '%s' "$doc_command" | sed 's/^/  $ /'
        sed 's/^/  | /' "$doc_folder/doc.out"
        exit 1
    fi
    cat "$doc_folder/doc.out" >>"$doc_folder/doc.block"
    doc_n_run=$((doc_n_run + 1))
    printf 'ok: %s:%s: %s (%s s)\n' "$doc_manual" "$1" "${doc_command%%$'\n'*}" $((SECONDS - doc_started))
}

# doc_prints LINE <SHOWN: what the commands since the last shown output printed. "..." stands for any text in a line, and
# alone in a line for any number of lines.
doc_prints() {
    cat >"$doc_folder/doc.shown"
    if ! awk -f "$SB_SOURCE/tests/support/doc_match.awk" "$doc_folder/doc.shown" "$doc_folder/doc.block"; then
        echo "FAILED: $doc_manual:$1: the manual shows"
        sed 's/^/  > /' "$doc_folder/doc.shown"
        echo "  and the commands printed"
        sed 's/^/  | /' "$doc_folder/doc.block"
        exit 1
    fi
    doc_n_compared=$((doc_n_compared + 1))
    doc_block
    rm -f "$doc_folder/doc.shown"
}

# doc_skip LINE N REASON: a block of N commands that the manual itself says is not run
doc_skip() {
    doc_n_skipped=$((doc_n_skipped + $2))
    echo "not run: $doc_manual:$1: $3"
}

# Make the current folder look like the root of a clone after 'make build'. Sources are links, but folders that a reader
# writes into are copies; make takes the programs as built.
doc_clone() {
    local path name
    for path in "$SB_SOURCE"/*; do
        name=${path##*/}
        case $name in
        build | cache) ;;
        matrix | paper | containers) mkdir "$name"; cp "$path"/*.* "$name/" ;;
        results) mkdir "$name"; ln -s "$path"/README.md "$path"/{bench,checks,demo-reference,largebatch,natural,original,published,pytorch} "$name/" ;;
        *) ln -s "$path" . ;;
        esac
    done
    mkdir build cache
    ln -s "$SB_BUILD" build/cpu
    make() { command make -o build "$@"; }
}
