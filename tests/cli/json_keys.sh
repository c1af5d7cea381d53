# --json: what each verb prints is JSON to a parser that did not write it, with the documented keys, all of them and no
# others, of the documented kinds. holds CODE FILE PROGRAM VERB...: run, parse, hold against the keys of the verb.
documented() {
    local program=$1
    $program help --format keys | awk -F' \\| ' -v section="### $program $2" \
        '/^### / { inside = $0 == section } inside && /^\| `/ { gsub(/^\| `|`$/, "", $1); print $1 " " $2 }'
}

# keys PROGRAM VERB FILE...: the documents together hold every documented key and no other
keys() {
    local program=$1 verb=$2
    shift 2
    documented "$program" "$verb" >rows
    [ -s rows ] || { echo "FAILED: no keys of $program $verb in its manual"; exit 1; }
    printf '%s\n' 'schema integer' 'program text' 'version text' 'verb text' 'exit_code integer' 'message text' >>rows
    json_keys "$@" | sort -u >found
    # a number without a fraction may read as an integer; whatever is null is of any kind
    sort rows | sed 's/ .*//' >row_names
    sed 's/ .*//' found | sort -u >found_names
    sort -u -o row_names row_names
    diff row_names found_names || { echo "FAILED: keys of $program $verb: < documented, > printed"; exit 1; }
    while read -r path kind; do
        [ "$kind" = null ] && continue
        grep -qxF "$path $kind" rows || { [ "$kind" = integer ] && grep -qxF "$path number" rows; } ||
            { echo "FAILED: $program $verb: $path is $kind"; exit 1; }
    done <found
    echo "ok: $program $verb, $(wc -l <row_names) keys"
}

# prints CODE FILE command...: the document is on stdout, alone, and says the exit code
prints() {
    local code=$1 file=$2 got=0
    shift 2
    "$@" --json >"$file" 2>talk || got=$?
    if [ "$got" != "$code" ] || ! json_keys "$file" >/dev/null || ! grep -qx "\"exit_code\": $code," "$file"; then
        echo "FAILED: $* --json: wanted $code, got $got and:"
        cat "$file" talk
        exit 1
    fi
}
