# Another video under the name of one that a data set was made of is noticed; the same one, copied anew, is not asked about.
mkdir clips
cp "$SB_SOURCE/matrix/hardware.yaml" .
make_clip clips/a.avi 25 16x8
cat >video.yaml <<'END'
hardware: hardware.yaml
data:
  - {name: clip, make: convert video clips/a.avi --size 16x8}
studies:
  - name: s
    options: {model: prednet, data: clip, backend: native, hardware: any, target: copy, updates: 1, channels: '3'}
    seeds: 1
END
run="samebits-matrix run -f video.yaml"
expect 0 '^run: 1 complete' $run

cp clips/a.avi copy.avi; mv copy.avi clips/a.avi
expect 0 '^run: 1 complete' $run --again
make_clip clips/a.avi 25 16x8 mpeg4
expect 7 '^clips/a.avi: not the file that cache/data/clip-[0-9a-f]{8}.h5 was made of; give it a name of its own' \
    $run --again
rm -r cache results
expect 0 '^run: 1 complete' $run

# the value of an option is a text, also with a '/' in it; a source that is not there is still asked for
sed -i 's|16x8}|16x8 --url https://example.org/a.avi --licence GPL/MIT}|' video.yaml
expect 0 '^run: 1 complete' $run
expect 0 '^run: 1 complete' $run --again
grep -aq https://example.org/a.avi cache/data/clip-*.h5
sed -i 's|clips/a.avi|clips/none.avi|' video.yaml
expect 4 'the data set clip is not here: it is made from clips/none.avi; put that there' $run
