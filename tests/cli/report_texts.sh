# Texts of others that try to be something else, in every place that somebody else may have written: each column of each
# table, names and values of what run files say of a machine, each key of claims and of published records. A field is
# refused with a sentence, or it is text: on the page, in figures, in tables and on the terminal. Nothing in it is ever run,
# and no control character of it arrives anywhere. report_texts_paper has the paper.
for program in gnuplot xmllint perl; do
    command -v $program >/dev/null || { echo "skipped: no $program"; exit 77; }
done
. "$SB_SOURCE/tests/support/texts.sh"
. "$SB_SOURCE/tests/support/hostile_results.sh"

# links PAGE: where it leads, a line each
links() { xmllint --xpath '//a/@href[not(starts-with(., "#"))]' "$1" 2>/dev/null | sed 's/^ *//' | sort -u; }

# is_page FOLDER: well-formed, with the script and the links of the clean one, nothing else that acts or loads
is_page() {
    local page=$1/index.html found
    xmllint --noout "$page" "$1"/figures/*.svg || { echo "FAILED: not well-formed"; exit 1; }
    found=$(xmllint --xpath 'concat(count(//script), " ", count(//@*[starts-with(name(), "on")]), " ", count(//iframe | //object |
        //embed | //link | //base | //form | //foreignObject), " ", count(//img[not(starts-with(@src, "data:image/png;base64,"))]),
        " ", count(//@href[not(starts-with(., "#"))][not(parent::a)]))' "$page")
    [ "$found" = '1 0 0 0 0' ] || { echo "FAILED: scripts, handlers, embedded, images, links: $found"; exit 1; }
    xmllint --xpath 'string(//script)' "$page" >script
    same script clean_script
    links "$page" >links
    if grep -vxFf clean_links links; then echo "FAILED: $page leads elsewhere"; exit 1; fi
    is_quiet "$page" "$1"/figures/*.svg
    nothing_ran
}

# seen N XPATH PAGE: so many elements whose text has the hostile one
seen() {
    local n
    n=$(xmllint --xpath "count($2[contains(., 'touch pwned|touch pwned&&')])" "$3")
    [ "$n" -ge "$1" ] || { echo "FAILED: $n $2 with the text, wanted $1"; exit 1; }
}

# ---- the page of good results ----
must report write -o clean
xmllint --xpath 'string(//script)' clean/index.html >clean_script
links clean/index.html >clean_links
is_page clean

# ---- every column of the tables: refused, or named here ----
free=
for table in cells curves timing distances coverage; do
    for column in $(head -n 1 good/$table.csv | tr ',' '\n' | cat -n | tr -s ' \t' '/'); do
        name=${column##*/} column=${column%/*}
        cp good/$table.csv bad/
        put bad/$table.csv 2 "${column#/}" "$text"
        got=0
        report write --only tables -o tables >said 2>&1 || got=$?
        is_quiet said
        case $got in
        0) free+=" $table/$name"; is_csv tables/*.csv ;;
        7) grep -qE "^samebits-report: bad/$table.csv:2: |^bad/$table.csv:2: " said || { cat said; exit 1; } ;;
        *) echo "FAILED: $table/$name: exit code $got"; cat said; exit 1 ;;
        esac
    done
    cp good/$table.csv bad/
done
nothing_ran
[ "$free" = ' cells/run coverage/value coverage/why' ] || { echo "FAILED: free columns:$free"; exit 1; }

# ---- claims and published records: each key that is a text is refused with a sentence, or text everywhere ----
[ "$(wc -w <<<"$claim_keys")" -ge 8 ]
[ "$(wc -w <<<"$file_keys")" = 4 ]
[ "$(wc -w <<<"$record_keys")" -ge 9 ]

hostile_keys=
write_claim
write_record
must report claims "${more[@]}"
yaml_controls=('"a\x01b"' '"a\e[2Jb"' '"a\u202eb"') control=0
free_claim= free_record=
for kind in claim record; do
    if [ $kind = claim ]; then keys=$claim_keys file=claims.yaml; else keys="$file_keys $record_keys" file=published/r.yaml; fi
    for hostile_keys in $keys; do
        control=$((control + 1))
        for hostile in "${yaml_controls[control % 3]}" "$yaml_text"; do
            write_$kind
            got=0
            report claims "${more[@]}" >said 2>&1 || got=$?
            is_quiet said
            case $got in
            0) [ "$hostile" = "$yaml_text" ] && eval "free_$kind+=' $hostile_keys'" ;;
            2) grep -qE "^$file:[0-9]+: " said ;;
            *) false ;;
            esac || { echo "FAILED: $kind, $hostile_keys: $hostile: exit code $got"; cat said; exit 1; }
        done
    done
    hostile_keys=
    write_$kind
done
nothing_ran
[ "$free_claim" = "$texts_of_claim" ] || { echo "FAILED: free keys of claims:$free_claim"; exit 1; }
[ "$free_record" = "$texts_of_record" ] || { echo "FAILED: free keys of records:$free_record"; exit 1; }

# all of them at once
hostile_sentences
must report claims "${more[@]}" --csv csv
must report write --only numbers "${more[@]}" -o csv
is_csv csv/*.csv
grep -qF 'touch pwned|touch pwned&&' said csv/claims.csv
must report trace "${more[@]}" a.b
nothing_ran

# ---- free texts of tables: missing cells, machines, layers ----
hostile_tables
rm -r bad/runs
must report write -o free
is_page free
seen 1 //li free/index.html
seen 2 '//td | //th' free/index.html

# ---- what run files say of their machine, control characters too, beside all the others ----
hostile_machine
must report write "${more[@]}" -o page
is_page page
seen 1 '//td | //th' page/index.html
seen 4 '//*' page/index.html
seal bad
must samebits-report export -i bad --incomplete -o bad.tar.gz
must samebits-report import bad.tar.gz -o imported
is_quiet imported/*.csv imported/*.json
is_csv imported/*.csv
must samebits verify imported
nothing_ran
for format in text csv json markdown; do must samebits-report compare bad bad --changed "${more[@]:2}" --format $format; done
nothing_ran
