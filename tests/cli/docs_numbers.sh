# Every marked number of a manual is the one that the shipped tables give. Words around it are free.
#
#   <!--= results/FOLDER LABEL FORM -->NUMBER    of 'samebits-report write --only numbers -i results/FOLDER'; FORM: text, as there; value,
#                                                its first word; interval, "LOW to HIGH"; n, pairs or runs; p, two digits
#   <!--= FILE.csv KEY=VALUE,... COLUMN FORMAT -->NUMBER    one field of a table, or several as one number
#                                                           (support/table_number.awk)
support=$SB_SOURCE/tests/support
fail() { echo "FAILED: $*"; exit 1; }
set -f # a marker may have an asterisk
# of_table FOLDER WORDS
of_table() { awk -v root="$1" -v words="$2" -f "$support/table_number.awk"; }

# number_of FOLDER LABEL FORM
number_of() {
    local numbers=$test_folder/numbers-${1//\//-} column=$3 claims=$SB_SOURCE/$1/claims.yaml text
    [ -e "$claims" ] || claims=$SB_SOURCE/paper/claims.yaml
    [ -e "$numbers" ] || samebits-report write --only numbers -i "$SB_SOURCE/$1" --claims "$claims" -o "$numbers" >/dev/null 2>&1 || return
    case $3 in value | interval) column=text ;; text | n | p) ;; *) return 1 ;; esac
    text=$(of_table "$numbers" "numbers.csv label=$2 $column %s") || return
    case $3 in
    value) text=${text%% *} ;;
    p) text=$(printf %.2g "$text") ;;
    interval) text=$(sed -nE 's/.*\[(.*), (.*)\].*/\1 to \2/p' <<<"$text") ;;
    esac
    echo "$text"
}

# check FILE: prints how many marked numbers it has; the first wrong one ends it
check() {
    local n=0 marker line words wanted follows
    while IFS=$'\t' read -r marker follows; do
        read -r line words <<<"$marker"
        case $words in
        *.csv\ * | *.txt\ *) wanted=$(of_table "$SB_SOURCE" "$words") || { echo "$1:$line: no such field: $words"; return 1; } ;;
        *) wanted=$(number_of $words) || { echo "$1:$line: no such number: $words"; return 1; } ;;
        esac
        if [ -z "$wanted" ] || [ "${follows#"$wanted"}" = "$follows" ] || [[ ${follows#"$wanted"} =~ ^\.?[0-9] ]]; then
            echo "$1:$line: $words is $wanted, and the text is: ${follows%%|*}"
            return 1
        fi
        n=$((n + 1))
    done < <(awk -f "$support/doc_numbers.awk" "$1")
    echo $n
}

total=0
while read -r file; do
    n=$(check "$SB_SOURCE/$file") || fail "$n"
    total=$((total + n))
    [ "$file" != README.md ] || [ "$n" -ge 15 ] || fail "README.md has $n marked numbers"
done < <(cd "$SB_SOURCE" && find README.md docs results -name '*.md' | sort)
echo "ok: $total marked numbers"

# Another word breaks nothing; another number, a longer one, an unknown label or column does
printf '%s\n' 'It raises the loss: <!--= results/demo-reference prednet.native.shared-over-copy.loss-last text -->1.10 [1.05, 1.15].' \
    'n <!--= results/demo-reference prednet.native.shared-over-copy.loss-last n -->8 pairs' >good.md
[ "$(check good.md)" = 2 ] || fail "good.md: $(check good.md)"
sed 's/raises/increases/' good.md >words.md
[ "$(check words.md)" = 2 ] || fail "words.md: $(check words.md)"
for edit in 's/>1\.10/>1.11/' 's/>8 pairs/>80 pairs/' 's/>8 pairs/>8.5 pairs/' 's/loss-last n/loss-lost n/' 's/last n -/last m -/'; do
    sed "$edit" good.md >bad.md
    if check bad.md >bad.out; then fail "$edit was not noticed"; fi
    grep -qE '^bad.md:[12]: ' bad.out || fail "$edit: $(cat bad.out)"
done
