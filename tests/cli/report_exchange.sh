# export and import: results as one file, the same bytes each time; what was cut, changed or leads elsewhere is refused.
fake_results results --settings 2 --seeds 2 --updates 20

expect 0 '^one.tar.gz$' samebits-report export -i results -o one.tar.gz
sleep 1
samebits-report export -i results -o two.tar.gz >/dev/null
same one.tar.gz two.tar.gz
expect 0 '^theirs$' samebits-report import one.tar.gz -o theirs
for table in cells curves timing coverage; do same results/$table.csv theirs/$table.csv; done
(cd theirs && sha256sum --quiet -c SHA256SUMS)
grep -q '^cpu,Made-up CPU <8 cores> & caches,8$' theirs/environment.csv
# What describes it: each key, each file with its size and digest, each run once as an action of samebits.
crate=theirs/ro-crate-metadata.json
for key in @context @graph conformsTo datePublished license keywords hasPart mentions instrument object result; do
    grep -q "\"$key\": " $crate || { echo "FAILED: the crate has no $key"; exit 1; }
done
tr -d ' \n' <$crate >flat
grep -qF '"conformsTo":{"@id":"https://w3id.org/ro/wfrun/process/' flat
# No term of the crate's own but the one that its context declares; the state of an action is a text.
grep -q '^{"@context":\["https://w3id.org/ro/crate/1.1/context",{"sha256":"http://schema.org/sha256"}\],"@graph":' flat
n_runs=$(($(wc -l <theirs/cells.csv) - 1))
[ "$(grep -c '"@type": "CreateAction"' $crate)" = "$n_runs" ]
[ "$(grep -c '"actionStatus": "http://schema.org/CompletedActionStatus"' $crate)" = "$n_runs" ]
for file in cells.csv curves.csv timing.csv coverage.csv environment.csv datacite.json; do
    grep -qE "\"@id\":\"$file\",\"@type\":\"File\",[^{}]*\"contentSize\":\"$(stat -c %s theirs/$file)\",\"sha256\":\"$(
        sha256sum theirs/$file | cut -d ' ' -f 1)\"" flat || { echo "FAILED: the crate says otherwise of $file"; exit 1; }
done
for key in schemaVersion creators titles publisher publicationYear types rightsList descriptions subjects version; do
    grep -q "\"$key\": " theirs/datacite.json || { echo "FAILED: datacite.json has no $key"; exit 1; }
done
json_keys $crate theirs/datacite.json >keys # a library that reads them
# Who made the results is said by who exports them, and by nobody else.
[ "$(grep -c '"author"\|"agent"\|"publisher"' $crate)" = 0 ]
grep -q '"name": "(:tba)"' theirs/datacite.json
samebits-report export -i results --author 'A "quoted" group' -o said.tar.gz >/dev/null
samebits-report import said.tar.gz -o said >/dev/null
json_keys said/ro-crate-metadata.json said/datacite.json >keys
[ "$(grep -c '"agent": ' said/ro-crate-metadata.json)" = "$n_runs" ]
grep -qF '"name": "A \"quoted\" group"' said/ro-crate-metadata.json
grep -qF '"name": "A \"quoted\" group"' said/datacite.json
# A bundle of a program that wrote no such description is as good.
mkdir -p old/samebits-results
for file in cells.csv curves.csv timing.csv coverage.csv environment.csv; do cp theirs/$file old/samebits-results; done
seal_folder() { (cd "$1" && sha256sum ./*.csv | sed 's, \./, ,' >SHA256SUMS); }
seal_folder old/samebits-results
tar -C old -czf old.tar.gz samebits-results
make_file frame old.tar.gz results
expect 0 '^older$' samebits-report import old.tar.gz -o older
# What a reader does with it: the same numbers; any tar unpacks it; a bundle of it is the bundle.
samebits-report write --only numbers -i results -o a >/dev/null 2>&1
samebits-report write --only numbers -i theirs -o b >/dev/null 2>&1
same a/numbers.csv b/numbers.csv
# A bundle stands wherever a folder may.
mkdir temporary
TMPDIR=temporary samebits-report write --only numbers -i one.tar.gz -o c >/dev/null 2>&1
same a/numbers.csv c/numbers.csv
rmdir temporary # nothing is left in it
head -c 100 one.tar.gz >gone.tar.gz
if command -v gnuplot >/dev/null; then expect 0 '^4 same bits' samebits-report compare results one.tar.gz; fi
expect 7 '^gone.tar.gz: damaged in its first bytes: its seal is not as it was written$' samebits-report write --only numbers -i gone.tar.gz -o d
tar -tzf one.tar.gz >names
[ "$(wc -l <names)" = 8 ]
[ "$(grep -c '^samebits-results/' names)" = 8 ]
samebits-report export -i theirs -o three.tar.gz >/dev/null
same one.tar.gz three.tar.gz

if command -v gnuplot >/dev/null; then
    samebits-report write -i one.tar.gz -o page >/dev/null 2>&1
    grep -q 'Made-up CPU &lt;8 cores&gt; &amp; caches' page/index.html
fi

expect 2 '^theirs: is there already' samebits-report import one.tar.gz -o theirs
expect 2 '^none.tar.gz: No such file or directory$' samebits-report import none.tar.gz -o new
expect 2 'wants -o' samebits-report import one.tar.gz
expect 1 'none/one.tar.gz' samebits-report export -i results -o none/one.tar.gz

# Results that are not as collected are not vouched for; incomplete ones say that they are, there as here.
cp -r results changed; rm -r changed/runs; sed -i '3s/,0.00/,0.01/' changed/cells.csv
expect 7 '^changed/cells.csv: changed since it was collected' samebits-report export -i changed -o bad.tar.gz
expect 2 "unknown option '--changed'" samebits-report export -i changed -o bad.tar.gz --changed
cp -r results gap; echo 'missing,prednet/walk/native/here/copy/s003/12345678,' >>gap/coverage.csv; seal gap
expect 3 'say --incomplete' samebits-report export -i gap -o gap.tar.gz
expect 0 '^gap.tar.gz$' samebits-report export -i gap -o gap.tar.gz --incomplete
samebits-report import gap.tar.gz -o gap2 >/dev/null
expect 3 'say --incomplete' samebits-report write --only numbers -i gap2 -o d
absent bad.tar.gz d

# Bad bundles: nothing is written.
refused() { expect 7 "$1" samebits-report import bad.tar.gz -o new; absent new new.part; }
pack() { tar -C made -czf bad.tar.gz "$@" samebits-results; make_file frame bad.tar.gz results; }
made=made/samebits-results
remake() { rm -rf made; mkdir made; cp -r theirs $made; }
size=$(stat -c %s one.tar.gz)
for part in 0 10 $((size / 2)) $((size - 200)); do head -c "$part" one.tar.gz >bad.tar.gz; refused '^bad.tar.gz: '; done
cp one.tar.gz bad.tar.gz
printf 'XXXX' | dd of=bad.tar.gz bs=1 seek=$((size / 2)) conv=notrunc status=none;  refused '^bad.tar.gz: '
echo 'no archive' >bad.tar.gz; make_file frame bad.tar.gz results;     refused '^bad.tar.gz: no bundle of results'
echo 'no archive' >bad.tar.gz;                                         refused '^bad.tar.gz: not a sealed file of samebits, or damaged in its first bytes; one of an older release is unpacked by .tar -xzf., and its folder is as good$'
remake; sed -i '3s/,0.00/,0.01/' $made/cells.csv; pack; refused '^bad.tar.gz: cells.csv was changed'
remake; rm $made/curves.csv; pack;                     refused '^bad.tar.gz: holds no curves.csv'
remake; rm $made/environment.csv; pack;                refused 'holds no environment.csv, which its SHA256SUMS names'
remake; rm $made/SHA256SUMS; pack;                     refused '^bad.tar.gz: holds no SHA256SUMS'
remake; echo >$made/more.csv; pack;                    refused "holds 'more.csv', which its SHA256SUMS does not name"
remake; printf '\0' >>$made/SHA256SUMS; pack;           refused '^bad.tar.gz: SHA256SUMS: holds a zero byte'
for name in ../../escaped /escaped samebits-results/../../escaped samebits-results/../escaped elsewhere/x \
    samebits-results/sub/x samebits-results/.hidden; do
    remake; pack --absolute-names --transform "flags=r;s|^samebits-results/timing.csv|$name|"
    refused "^bad.tar.gz: holds '.*', which is no plain file of samebits-results; nothing was unpacked"
    absent escaped ../escaped ../../escaped /escaped
done
remake; ln -sf /etc/passwd $made/timing.csv; pack; refused "holds 'samebits-results/timing.csv', which is no plain file"
