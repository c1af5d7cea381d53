# Texts: as characters and as bytes, the held-out end, the table of another data set, what is fetched, and what is refused.
printf 'To be, or not to be: that is the question.\n' >a.txt
printf 'Caf\303\251 \342\202\254\n' >b.txt

expect 0 '^a\.h5: 38 tokens and 5 held-out tokens of 18 characters$' samebits-data convert text a.txt -o a.h5
expect 0 '^a\.h5: a, 38 tokens and 5 held-out tokens of 18 characters, digest [0-9a-f]{32}$' samebits-data verify a.h5
expect 0 '^both\.h5: 47 tokens and 3 held-out tokens of 22 characters$' samebits-data convert text a.txt b.txt --hold-out 3 -o both.h5
expect 0 '^bytes\.h5: 48 tokens and 5 held-out tokens of 25 bytes$' samebits-data convert text a.txt b.txt --as bytes --hold-out 5 -o bytes.h5
expect 0 '^one\.h5: 42 tokens and 1 held-out token of 18 characters$' samebits-data convert text a.txt --hold-out 1 -o one.h5
expect 0 '42 tokens and 1 held-out token of 18 characters, ' samebits-data verify one.h5
expect 0 '^all\.h5: 43 tokens and 0 held-out tokens' samebits-data convert text a.txt --hold-out 0 -o all.h5
tr -d '\n\0' <a.h5 | grep -aq '  a.txt' || { echo 'FAILED: the data set does not name its source'; exit 1; }

# the content is the tokens, where they are divided, and what they stand for
digest() { samebits-data verify "$1" | sed 's/.*digest //'; }
samebits-data convert text a.txt --hold-out 6 -o six.h5
tr 'q' 'r' <a.txt >renamed.txt
samebits-data convert text renamed.txt -o renamed.h5
[ "$(for name in a six all renamed both bytes; do digest $name.h5; done | sort -u | wc -l)" = 6 ] || { echo 'FAILED: the same digest'; exit 1; }
cp a.txt same.txt
samebits-data convert text same.txt -o same.h5
[ "$(digest a.h5)" = "$(digest same.h5)" ] || { echo 'FAILED: another digest of the same text'; exit 1; }

# another text by the same table
printf 'not to question\n' >c.txt
expect 0 '^c\.h5: 14 tokens and 2 held-out tokens of 18 characters$' samebits-data convert text c.txt --table a.h5 -o c.h5
for files in b.txt 'a.txt b.txt'; do
    expect 2 '^b\.txt: byte 1 is of U\+0043, which is not among the 18 characters of the table$' samebits-data convert text $files --table a.h5 -o no.h5
done
samebits-data synth digits --images 20 --test 5 -o digits.h5
expect 2 '^digits\.h5: no text, so it has no table of characters$' samebits-data convert text a.txt --table digits.h5 -o no.h5

expect 0 '^c\.h5: 14 tokens and 2 held-out tokens of 25 bytes$' samebits-data convert text c.txt --table bytes.h5 -o c.h5
tr -d '\n\0' <c.h5 | grep -aq -e '--as bytes' || { echo 'FAILED: the tokens of the table are not recorded'; exit 1; }
expect 0 'of 25 bytes$' samebits-data convert text c.txt --table bytes.h5 --as bytes -o c.h5
expect 2 '^bytes\.h5: its tokens are bytes; --table goes with --as bytes$' \
    samebits-data convert text c.txt --table bytes.h5 --as characters -o no.h5
expect 2 '^a\.h5: its tokens are characters; --table goes with --as characters$' \
    samebits-data convert text c.txt --table a.h5 --as bytes -o no.h5
# the table's data set is not overwritten, under no name
cp a.h5 kept.h5
ln -s a.h5 link.h5
ln a.h5 hard.h5
for output in a.h5 ./a.h5 link.h5 hard.h5; do
    expect 2 'the same file as the input a\.h5; name another output$' samebits-data convert text c.txt --table a.h5 -o $output
done
cmp a.h5 kept.h5

: >empty.txt
printf 'aaaa' >one.txt
printf 'ab' >short.txt
printf 'ab\377' >latin.txt
expect 2 '^empty\.txt: empty$' samebits-data convert text empty.txt -o no.h5
expect 2 '^empty\.txt: empty$' samebits-data convert text a.txt empty.txt -o no.h5
expect 2 '^no\.h5: the same character all over' samebits-data convert text one.txt -o no.h5
expect 2 '^no\.h5: 1 character held out of 2 leaves fewer than 2 to learn from$' samebits-data convert text short.txt -o no.h5
expect 2 '^no\.h5: 42 characters held out of 43 leave fewer than 2' samebits-data convert text a.txt --hold-out 42 -o no.h5
for files in latin.txt 'a.txt latin.txt'; do
    expect 2 '^latin\.txt: byte 3 is not in UTF-8: perhaps in Latin-1; .iconv .*; --as bytes takes any file$' samebits-data convert text $files -o no.h5
done
expect 2 '^latin\.txt: byte 3 is not in UTF-8: perhaps in Latin-1; .iconv -f ISO-8859-1 -t UTF-8 FILE >NEW. converts it$' samebits-data convert text latin.txt --table a.h5 -o no.h5
printf 'ab\303' >cut.txt
printf '\251cd' >rest.txt
expect 2 '^cut\.txt: byte 3 is not in UTF-8: perhaps in Latin-1; .iconv .*; --as bytes takes any file$' samebits-data convert text cut.txt rest.txt -o no.h5
# UTF-16 without a mark of byte order is valid UTF-8, in several alphabets; other texts may have zero bytes
printf 'two words\nmore\n' | iconv -t UTF-16LE >wide.txt
printf 'two words\nmore\n' | iconv -t UTF-16BE >wide_be.txt
printf '\320\264\320\262\320\260 \321\201\320\273\320\276\320\262\320\260\n' | iconv -f UTF-8 -t UTF-16LE >wide_cyrillic.txt
printf 'two\0words and more of them\0\n' >zero.txt
expect 2 '^wide\.txt: not in UTF-8: in UTF-16; .iconv -f UTF-16LE -t UTF-8 FILE >NEW. converts it; --as bytes takes any file$' samebits-data convert text wide.txt -o no.h5
expect 2 '^wide_be\.txt: not in UTF-8: in UTF-16; .iconv -f UTF-16BE ' samebits-data convert text a.txt wide_be.txt -o no.h5
expect 2 '^wide_cyrillic\.txt: not in UTF-8: in UTF-16; .iconv -f UTF-16LE ' samebits-data convert text wide_cyrillic.txt -o no.h5
printf 'a\nb\nc\nd\0' >lines.txt # lines of one character and a zero
expect 0 '' samebits-data convert text lines.txt -o lines.h5
expect 2 '^wide\.txt: not in UTF-8: in UTF-16; .iconv .* converts it$' samebits-data convert text wide.txt --table a.h5 -o no.h5
expect 0 'of 15 characters$' samebits-data convert text zero.txt --hold-out 0 -o zero.h5
expect 0 'of 11 bytes$' samebits-data convert text wide.txt --as bytes --hold-out 0 -o wide.h5
expect 0 'of 6 bytes$' samebits-data convert text cut.txt rest.txt --as bytes --hold-out 0 -o cut.h5
expect 0 'of 3 bytes$' samebits-data convert text latin.txt --as bytes --hold-out 0 -o latin.h5
expect 2 '^none\.txt: ' samebits-data convert text none.txt -o no.h5
expect 2 '^a\.txt: the same file as the input a\.txt' samebits-data convert text a.txt -o a.txt
expect 2 'from is for no FILE' samebits-data convert text a.txt --from . -o no.h5
expect 2 "^samebits-data convert text: --as wants one of characters\|bytes, not 'words'$" samebits-data convert text a.txt --as words -o no.h5
mkfifo pipe.txt
expect 2 'pipe\.txt: a pipe, not a regular file' timeout 20 samebits-data convert text pipe.txt -o no.h5
absent no.h5 no.h5.part

# the text of a grammar: the same bytes everywhere, and the shorter one is the beginning of the longer one
expect 0 '^text\.h5: 180000 tokens and 20000 held-out tokens of [0-9]+ characters$' samebits-data synth text -o text.h5
expect 0 'digest 0d9d26881e8d32e391f3bd6263a9359f$' samebits-data verify text.h5
expect 2 "characters wants a whole number in \[100, 1000000000\], not '1'" samebits-data synth text --characters 1 -o no.h5

# fetched, from a folder that has the file; another file of that name is refused
export SAMEBITS_CACHE=$PWD/cache
expect 0 '^shakespeare +text +1\.1 MB +no +public domain ' samebits-data list
expect 4 'cache/shakespeare/input\.txt: not there; run .samebits-data fetch shakespeare.' samebits-data convert text -o no.h5
expect 4 'input\.txt: not in the cache, and --offline forbids the net' samebits-data fetch shakespeare --offline
mkdir mirror
echo 'another text' >mirror/input.txt
expect 7 'input\.txt: offers 13 bytes, 1115394 expected' samebits-data fetch shakespeare --mirror mirror --only-mirror
expect 7 'input\.txt: its sha256 is not 86c4e6aa.*: another file' samebits-data convert text --from mirror -o no.h5
absent no.h5 no.h5.part

[ "${SB_TEST_SHAKESPEARE-}" ] || exit 0
expect 0 'shakespeare: complete' samebits-data fetch shakespeare --mirror "$SB_TEST_SHAKESPEARE" --only-mirror
expect 0 '1003854 tokens and 111540 held-out tokens of 65 characters' samebits-data convert text -o shakespeare.h5
expect 0 '^shakespeare\.h5: shakespeare, .* digest 921ea0916e6cb42a89d87fe77e3a510b$' samebits-data verify shakespeare.h5
