# Results, claims and published records that hostile texts may be put in. Sourced after texts.sh, not run. Afterwards: the
# folders good and bad, $claim_keys, $file_keys and $record_keys, the options $more, and the functions below.

# put FILE ROW COLUMN TEXT: the field of a csv file, quoted; rows and columns from 1
put() {
    ROW=$2 COLUMN=$3 TEXT=$4 perl -i -pe 'if ($. == $ENV{ROW}) { chomp; my @f = /("(?:[^"]|"")*"|[^,]+|(?<=,)|^)(?:,|$)/g;
        ($f[$ENV{COLUMN} - 1] = $ENV{TEXT}) =~ s/"/""/g; $f[$ENV{COLUMN} - 1] = "\"$f[$ENV{COLUMN} - 1]\"";
        $_ = join(",", @f) . "\n" }' "$1"
}

# report VERB OPTION...: of the folder bad
report() { samebits-report "$1" -i bad --changed --incomplete "${@:2}"; }
# must COMMAND...: it succeeds, and says nothing that moves a cursor
must() { "$@" >said 2>&1 || { echo "FAILED: $*: $?"; cat said; exit 1; }; is_quiet said; }

# ---- good results with every table, and a copy ----
fake_results good --settings 1 --seeds 2 --updates 8 --autoencoder
samebits layers --model autoencoder >good/layers-autoencoder.csv 2>said
first=$(awk -F, 'NR == 2 { print $2 }' good/cells.csv) second=$(awk -F, 'NR == 3 { print $2 }' good/cells.csv)
echo a,b,differs,update,distance,relative >good/distances.csv
for update in 1 2 4; do echo "$first,$second,setting,$update,0.0$update,0.00$update"; done >>good/distances.csv
printf 'name,value,runs\ncpu,a CPU,6\n' >good/environment.csv
cp -r good bad

# ---- claims and published records ----
keys() { sed -n "/ $1\\[\\]/,/END/s/.*(sb_[a-z_]*, \\([a-z_]*\\)).*/\\1/p" "$SB_SOURCE/paper/compare/published.c" | sort -u; }
claim_keys=$(sed -n 's/^ *\(REQUIRED\|OPTIONAL\)(\([a-z]*\)),/\2/p' "$SB_SOURCE/src/io/yaml/claim_file.c" | grep -vx relevant | sort -u)
file_keys=$(keys record_file_fields) record_keys=$(keys record_fields)
# those whose value is any text
texts_of_claim=' by orders text uncounted why'
texts_of_record=' date source title unit what'

# value KEY: one that is good; or the text, where it is one of $hostile_keys
value() {
    case " $hostile_keys " in *" $1 "*) echo "$hostile"; return ;; esac
    case $1 in
    relation) echo greater ;; metric) echo loss_last ;; each) echo setting ;; margin) echo 1.05 ;; seeds) echo 2 ;; relevant | effect | spread) echo 1.02 ;; replicates) echo 1 ;; pairs) echo common ;; pool) echo data ;; family) echo part ;; fraction) echo "'0.5'" ;; across) echo lr ;; name) echo a-b ;; label) echo a.b ;;
    kind) echo measured ;; value | low | high | sd) echo "'0.5'" ;; n) echo "'5'" ;; *) echo word ;;
    esac
}
rows() { for key; do echo "    $key: $(value $key)"; done | sed '1s/   /  -/'; } # a list of one
write_claim() {
    { echo claims:; rows $claim_keys; printf '    of: {study: prednet, target: shared}\n    over: {study: prednet, target: copy}\n'; } >claims.yaml
}
write_record() {
    mkdir -p published
    { for key in $file_keys; do echo "$key: $(value $key)"; done; echo records:; rows $record_keys; } >published/r.yaml
}
more=(--claims claims.yaml --published published)

# hostile_sentences: in every key of claims and records whose value is any text
hostile_sentences() {
    hostile=$yaml_text hostile_keys="$texts_of_claim $texts_of_record"
    write_claim
    write_record
}

# hostile_tables: in missing cells, machines and layers
hostile_tables() {
    local hash=0badc0de column
    {
        echo "failed,p/walk/native/any/copy/s001/$hash,\"${text//\"/\"\"}\""
        echo "hardware missing,p/walk/cublas/any/copy/s001/$hash,\"${text//\"/\"\"}\""
    } >>bad/coverage.csv
    for column in 1 2; do put bad/environment.csv 2 $column "$text"; done
    for column in 1 2 8 9; do put bad/layers-autoencoder.csv 4 $column "$text"; done
}

# hostile_machine: in what run files say of theirs, control characters too
hostile_machine() {
    printf "cpu%b%s\n%s\nsecond line\\\\ %b\r" "$controls" "$text" "$text" "$controls" >fact
    fake_results facts --settings 1 --seeds 2 --updates 8 --autoencoder --fact fact
    cp -r facts/runs bad/
}
