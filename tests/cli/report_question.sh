# A study's own question: named by its claims, carried by its results, and what the answer and the page open with.
for program in gnuplot xmllint; do
    command -v $program >/dev/null || { echo "skipped: no $program"; exit 77; }
done
cp "$SB_SOURCE/matrix/hardware.yaml" .
cat >m.yaml <<'END'
hardware: hardware.yaml
claims: c.yaml
data: [{name: walk, make: synth walk --size 48x32 --frames 60 --seed 1}]
studies:
  - name: p
    options: {model: prednet, data: walk, updates: 2, channels: '3,4'}
    seeds: 2
    axes: {target: [copy, shared]}
    zip: [{backend: native, hardware: any, threads: 1}]
END
# claims [LINE]: one claim, a line above it
claims() {
    printf '%s\n' "$@" 'claims:' "  - {name: first, by: me, text: Shared is copied <b>&</b>., of: {target: shared}, over: {target: copy}," \
        "     each: setting, relation: equivalent, metric: loss_last, margin: '1.5'}"
}
run() { samebits-matrix "$@" -f m.yaml >run.log 2>&1 || { cat run.log; exit 1; }; }
answer() { samebits-report answer -i "$@"; }
hardware='^Whether the shared target buffer|^No two machines|^The shared target buffer'

# A question changes neither cells nor what is registered.
claims >c.yaml
samebits-matrix list -f m.yaml >listed
run run --engine none
run collect -o out
cp out/registrations.csv before.csv
absent out/claims.csv # that is the table of verdicts
same c.yaml out/claims.yaml
question='Is "shared" <i>copied</i> & sealed?'
claims "question: '$question'" >c.yaml
samebits-matrix list -f m.yaml >listed_again
same listed listed_again
run run --engine none
run collect -o out
same before.csv out/registrations.csv
same c.yaml out/claims.yaml
(cd out && sha256sum --quiet -c SHA256SUMS)
expect 0 'out/claims.yaml: .*holds' samebits verify out

# The results alone know it, wherever they are; a question of their own goes before that of the hardware.
mkdir elsewhere; cp -r out elsewhere/
cd elsewhere
expect 0 '^Is "shared" <i>copied</i> & sealed\?$' answer out
also 'The claim of this study is undetermined; it was registered before its runs\.$'
also '^Undetermined: Shared is copied <b>&</b>\. The last-frame loss with the shared target is .* times that with the copied target \(2 pairs\)\. '
expect 0 'index.html' samebits-report write -i out -o page
page=page/index.html
xmllint --noout $page
[ "$(xmllint --xpath 'string(//h1)' $page)" = "$question" ]
[ "$(xmllint --xpath 'string(//title)' $page)" = "samebits: $question" ]
[ "$(xmllint --xpath 'count(//h1/* | //title/* | //header//i)' $page)" = 0 ] # text, no markup
[ "$(xmllint --xpath 'count(//header//*[@class="verdicts"]//li)' $page)" = 1 ]
[ "$(xmllint --xpath 'count(//header//figure[@id="verdicts"])' $page)" = 1 ]
grep -q 'id="compared"' $page      # what the hardware's question rests on stands below
if grep -q 'id="question"' $page; then echo "FAILED: a study that asks its own question tells of another"; exit 1; fi
[ -z "$(grep -oE ' id=["'\''][^"'\'']+' $page | sort | uniq -d)" ]
answer out 2>/dev/null | sed -n 2p >answer.txt
xmllint --xpath 'string(//p[@class="answer"])' $page >first.txt
same answer.txt first.txt

# Packed and unpacked it is still there.
expect 0 'x.tar.gz' samebits-report export -i out --runs ../results -o x.tar.gz
expect 0 'again' samebits-report import x.tar.gz -o again
same out/claims.yaml again/claims.yaml
expect 0 '^Is "shared"' answer x.tar.gz
cd ..

# Claims that the command names go before those of the results, and the project's stand in where these have none.
claims >other.yaml
expect 0 "$hardware" answer out --claims other.yaml
claims 'question: And now?' >other.yaml
expect 0 '^And now\?$' answer out --claims other.yaml
expect 0 '"question": "And now\?"' samebits-report claims -i out --claims other.yaml --json
expect 0 '^undetermined  first' samebits-report claims -i out
mkdir paper && claims 'question: Whose?' >paper/claims.yaml
expect 0 '^Is "shared"' answer out
cp -r out none && rm none/claims.yaml && sed -i '/claims.yaml/d' none/SHA256SUMS
expect 0 '^Whose\?$' answer none
rm -r paper
expect 0 "$hardware" answer none
expect 2 'none: carries no claims, and paper/claims.yaml is not here; name a file with --claims' samebits-report claims -i none

# Carried claims that are not those that were collected.
cp -r out changed && echo '# later' >>changed/claims.yaml
expect 7 'changed/claims.yaml: changed since it was collected' answer changed
cp -r out unnamed && sed -i '/claims.yaml/d' unnamed/SHA256SUMS
expect 7 'unnamed/claims.yaml: not named in SHA256SUMS' answer unnamed
cp -r out broken && claims 'question: 7' >broken/claims.yaml
sed -i "s/^[0-9a-f]*  claims.yaml/$(sha256sum broken/claims.yaml | cut -d' ' -f1)  claims.yaml/" broken/SHA256SUMS
expect 7 'broken/claims.yaml:1: question wants one line' answer broken

# What no question is, wherever claims are read.
for line in "question: ''" 'question:' 'question: It is.' "question: \"two
  lines\\n?\"" "question: $(printf 'x%.0s' {1..160})?"; do
    claims "$line" >c.yaml
    expect 2 'c.yaml:1: question wants one line of at most 160 characters that ends with' samebits-matrix list -f m.yaml
    expect 2 'c.yaml:1: question wants one line' samebits-report claims -i out --claims c.yaml
done
for line in "see: ''" 'see: results/<b>gpu</b>' 'see: Results'; do
    claims "$line" >c.yaml
    expect 2 'c.yaml:1: see wants a folder of results, such as results/gpu' samebits-report claims -i out --claims c.yaml
done
claims 'questions: Why?' >c.yaml
expect 2 "c.yaml:1: unknown key 'questions', did you mean 'question'\?" samebits-matrix list -f m.yaml

# Runs that are asked nothing say so; claims without a question are the question then.
claims >c.yaml
sed -i 's/target: \[copy, shared\]/target: [copy]/' m.yaml
run collect -o alone
sed -i 's/of: {target: shared}/of: {target: shared|copy}/' c.yaml
expect 0 '^No two machines were compared, and no two runs differ in the target buffer alone\.$' answer alone
also '^No claim asks anything else of these runs\. The final losses of the 1 study are below\.$'
expect 0 'index.html' samebits-report write -i alone -o alone_page
[ "$(xmllint --xpath 'string(//h1)' alone_page/index.html)" = 'What came out of 2 runs of prednet on walk?' ]
if grep -qE 'id="(question|compared)"' alone_page/index.html; then echo "FAILED: sections about nothing"; exit 1; fi

# A matrix file that names no claims any more: those of before go.
sed -i '/^claims:/d' m.yaml
run collect -o alone
absent alone/claims.yaml
expect 0 '^No two machines' answer alone
