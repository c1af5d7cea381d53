#!/usr/bin/env bash
# words.sh [BIN]: how the manuals read, file by file: words, sentences, sentences of more than 25 words, trouble words, and
# numbers that no marker holds to a table. With a folder of programs also their --help texts.
# words.sh --list FILE...: each long sentence, trouble word and unmarked number with its line.
# words.sh --trouble COMMIT: how often each trouble word is in code and in manuals, at that commit and now.
set -eu
source=$(realpath "$(dirname "$0")/..")

if [ "${1-}" = --list ]; then
    shift
    for file; do awk -v list=1 -f "$source/docs/words.awk" "$file" | sed "s,^\([a-z]*\) \([0-9]*\) ,$file:\2: \1: ,"; done
    exit
fi

# count PATTERN COMMIT PATH...: matches in the files of a commit ("": as they are now)
count() {
    local pattern=$1 commit=$2
    shift 2
    { git grep -ohiwE "$pattern" $commit -- "$@" || true; } | wc -l
}

# table_of_trouble COMMIT
table_of_trouble() {
    local code=(src paper matrix datasets python tests ':!*.md' ':!tests/golden') manuals=('*.md') word pattern
    printf '%-20s %9s %6s %9s %6s\n' word code now manuals now
    while read -r word pattern; do
        printf '%-20s %9s %6s %9s %6s\n' "$word" "$(count "$pattern" "$1" "${code[@]}")" "$(count "$pattern" '' "${code[@]}")" \
            "$(count "$pattern" "$1" "${manuals[@]}")" "$(count "$pattern" '' "${manuals[@]}")"
    done <<'END'
behind behind
beside beside
apart apart
so-many so (many|much)
stands-in stands? in
that-of (that|those) of
held-against held against
nobody,somebody (no|some)body
likewise likewise
whoever whoever
END
}

# help_of BIN: the help of all programs and verbs
help_of() {
    local program verb
    for program in samebits samebits-data samebits-matrix samebits-report; do
        "$1/$program" --help
        "$1/$program" --help | sed -n 's/^  \([a-z]\+\( [a-z]\+\)\?\)   *[^ ].*/\1/p' |
            while read -r verb; do "$1/$program" $verb --help; done
    done
}

if [ "${1-}" = --trouble ]; then
    cd "$source"
    table_of_trouble "$2"
    exit
fi

row() { printf '%-40s %7s %9s %7s %8s %9s\n' "$@"; }
cd "$source"
row file words sentences long trouble unmarked
{
    for file in README.md CONTRIBUTING.md docs/*.md results/README.md results/*/README.md results/*/*/README.md; do
        echo "$file $(awk -f docs/words.awk "$file")"
    done
    if [ $# -gt 0 ]; then echo "--help $(help_of "$1" | awk -v plain=1 -f docs/words.awk)"; fi
} | while read -r file words sentences long trouble unmarked; do
    row "$file" "$words" "$sentences" "$long" "$trouble" "$unmarked"
    echo "$words $sentences $long $trouble $unmarked" >&3
done 3> >(awk -v format='%-40s %7s %9s %7s %8s %9s\n' '{ for (i = 1; i <= 5; i++) n[i] += $i }
    END { printf format, "all", n[1], n[2], n[3], n[4], n[5] }')
