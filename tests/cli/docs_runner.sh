# The runner of manuals itself: what it runs, what it compares, and that each kind of mistake in a manual is found.
. "$SB_SOURCE/tests/support/doc_commands.sh"

cat >good.md <<'END'
# A manual

Prose with `code`, and a fence that is no command:

```yaml
key: value
```

```sh
mkdir folder && cd folder
echo one       # a comment
ls nowhere     # exit code 2
cat >file <<'EOF'
two
EOF
cat \
    file
```

It prints

```text
one
ls: ... 'nowhere'...
two
```

- a list

    echo in a list, no block

*The documentation test skips this block: it wants a printer.*

```sh
print page
print all
```

```text
not compared either
```

    echo three; echo four
    three
      ...
    echo five
    five

    echo six
    six

The result stands in six.

    [quoted]
END
expect 0 '^good.md: 8 commands run, 4 outputs compared, 2 not run$' doc_run good.md
also '^not run: good.md:[0-9]+: it wants a printer$'
[ "$(cat folder/file)" = two ]

# wrong MESSAGE <MANUAL: the manual has a mistake, and the runner says so
wrong() {
    cat >wrong.md
    expect 1 "FAILED: wrong.md.*$1" bash -c 'set -eu; . "$SB_SOURCE/tests/support/doc_commands.sh"; doc_run wrong.md'
}
fence='```'
printf '%s\n' "${fence}sh" false "$fence" | wrong ':2: wanted exit code 0, got 1'
printf '%s\n' "${fence}sh" 'true # exit code 1' "$fence" | wrong ':2: wanted exit code 1, got 0'
printf '%s\n' "${fence}sh" 'echo a; echo b' "$fence" "${fence}text" a "$fence" | wrong ':5: the manual shows'
printf '%s\n' "${fence}sh" 'echo a' "$fence" "${fence}text" a b "$fence" | wrong ':5: the manual shows'
printf '%s\n' "${fence}sh" 'echo abc' "$fence" "${fence}text" a...d "$fence" | wrong ':5: the manual shows'
printf '%s\n' "${fence}sh" 'echo a' "$fence" "${fence}text" ... b "$fence" | wrong ':5: the manual shows'
printf '%s\n' 'Text.' '' '    echo a' '    b' | wrong ':4: the manual shows'
printf '%s\n' "${fence}sh" 'echo a' | wrong ': a fenced block is not closed'
printf '%s\n' '*The documentation test skips this block: no.*' '' 'Text between.' '' "${fence}sh" false "$fence" |
    wrong ':6: wanted exit code 0'
printf '%s\n' "${fence}sh" 'echo a' 'echo "b' 'c"' "$fence" | wrong ': a command ends in the middle of a line'
printf '%s\n' 'No command.' | wrong ': no command found'
