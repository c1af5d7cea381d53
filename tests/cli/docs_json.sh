# The keys in docs/json.md are those that the programs print of themselves.
{
    sed '/^## Keys$/q' "$SB_SOURCE/docs/json.md"
    for program in samebits samebits-matrix samebits-report; do $program help --format keys; done
} >json.md
diff "$SB_SOURCE/docs/json.md" json.md || { echo "FAILED: put these keys into docs/json.md"; exit 1; }
[ "$(grep -c '^### ' json.md)" -gt 4 ]
