# --json of samebits-report: claims and numbers, of the results that ship, which have pairs of runs and published numbers.
. "$SB_SOURCE/tests/cli/json_keys.sh"
cp -r "$SB_SOURCE/results" .
natural=results/natural
prints 0 claims.json samebits-report claims -i $natural --claims "$SB_SOURCE/paper/claims.yaml"
keys samebits-report claims claims.json
reproduced=$(samebits-report claims -i $natural --claims "$SB_SOURCE/paper/claims.yaml" 2>/dev/null | grep -c '^reproduced  ')
[ "$reproduced" -gt 0 ]
grep -o '"outcome": "reproduced", "words": "[^"]*", "registered"' claims.json | grep -c . | grep -qx "$reproduced"

prints 0 judge.json samebits-report judge $natural/cells.csv --by hardware --metric loss_last --where study=cpus
keys samebits-report judge judge.json

prints 0 numbers.json samebits-report write --only numbers -i $natural -o out
keys samebits-report write numbers.json
# as many as in numbers.csv
[ "$(grep -c '^  {"label": ' numbers.json)" = $(($(wc -l <out/numbers.csv) - 1)) ]
grep -q '"unit": "[a-z1]*", "evidence": "published", ' numbers.json
