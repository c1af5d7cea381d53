# collect replaces the tables of its own study, renamed, moved or edited, and refuses to replace those of another one.
. "$SB_SOURCE/tests/cli/matrix_setup.sh"
sed 's/name: p/name: q/' small.yaml >other.yaml
$matrix run -f small.yaml >run.log 2>&1
$matrix run -f other.yaml >>run.log 2>&1
collect="$matrix collect"
expect 0 '^out: 6 of 6 cells' $collect -f small.yaml -o out
expect 0 '^out: 6 of 6 cells' $collect -f small.yaml -o out
sha256sum out/* >before.txt
expect 2 '^out: holds the tables of another study, small.yaml; name another folder with -o, or remove it$' $collect -f other.yaml -o out
expect 2 '^out/: holds the tables of another study' $collect -f other.yaml -n s001 -o out/
sha256sum out/* >after.txt
same before.txt after.txt

# the same under another name, or in another folder
cp small.yaml renamed.yaml
expect 0 '^out: 6 of 6 cells' $collect -f renamed.yaml -o out
expect 0 '^out: 2 of 2 cells' $collect -f renamed.yaml -n s001 -o out
mkdir -p deep/er
cp small.yaml hw.yaml deep/er
expect 0 '^out: 6 of 6 cells' $collect -f deep/er/small.yaml -o out

# edited: other hashes of the same names, or a cell more
sed 's/updates: 12/updates: 14/' small.yaml >deep/small.yaml
cp hw.yaml deep
$matrix run -f deep/small.yaml >>run.log 2>&1
expect 0 '^out: 6 of 6 cells' $collect -f deep/small.yaml -o out
expect 0 '^out: 6 of 6 cells' $collect -f small.yaml -o out

# edited and renamed: as long as every row is still a cell
sed 's/seeds: 3/seeds: 4/' small.yaml >more.yaml
expect 0 '^out: 6 of 8 cells' $collect -f more.yaml -o out
sed 's/seeds: 3/seeds: 2/' small.yaml >fewer.yaml
expect 2 '^out: holds the tables of another study, more.yaml' $collect -f fewer.yaml -o out

# another study under the same file name
mkdir far
cp other.yaml far/more.yaml
cp hw.yaml far
expect 2 '^out: holds the tables of another study, more.yaml' $collect -f far/more.yaml -o out

# tables without a coverage.csv, and what is no table at all
rm out/coverage.csv
expect 2 '^out: holds the tables of another study, of an unknown matrix file' $collect -f other.yaml -o out
expect 0 '^out: 6 of 8 cells' $collect -f more.yaml -o out
echo 'no table' >out/cells.csv
rm out/coverage.csv
expect 0 '^out: 6 of 6 cells' $collect -f other.yaml -o out
mkdir empty
echo mine >empty/notes.txt
expect 0 '^empty: 6 of 6 cells' $collect -f other.yaml -o empty
