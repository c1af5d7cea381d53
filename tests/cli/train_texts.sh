# 'samebits texts': where the texts of several runs differ from those of the first one; against 'samebits sample'.
samebits-data synth text --characters 6000 -o text.h5 2>/dev/null
gpt='samebits train --model gpt --blocks 1 --heads 2 --width 16 --context 16 --batch 8 --data text.h5 --quiet'
expect 0 '^updates 6 ' $gpt --updates 6 -o a.h5
expect 0 '^updates 6 ' $gpt --updates 6 --threads 2 --isa plain -o same.h5
expect 0 '^updates 6 ' $gpt --updates 6 --seed 2 -o b.h5
awk 'BEGIN { for (i = 0; i < 40; i++) printf "The old king sees a river. " }' >known.txt
samebits-data convert text known.txt --table text.h5 --hold-out 108 -o known.h5 2>/dev/null
texts='samebits texts a.h5 same.h5 b.h5 --data known.h5 --tokens 20'

# the first held-out window, and what 'sample' writes after it
expect 0 '^run,against,texts,tokens,differ,first_least,first_median,equal$' $texts --prompts 1 --temperature 1 --seed 7 -o one.csv
also '^same\.h5,a\.h5,1,20,0,,,1$'
cp expect.out table.csv
for run in a b; do
    samebits sample $run.h5 --prompt "$(cut -c973-988 known.txt)" --tokens 20 --seed 7 | tail -c 21 | head -c 20 | od -An -v -tu1 -w1 >$run.bytes
done
first=$(paste a.bytes b.bytes | awk '$1 != $2 { print NR; exit }')
equal=$(paste a.bytes b.bytes | awk '$1 == $2 { n++ } END { print n + 0 }')
[ "$first" -ge 1 ]
expect 0 "^b\.h5,a\.h5,0,1,7,20,$first,$equal$" cat one.csv
also '^same\.h5,a\.h5,0,1,7,20,,20$'
expect 0 "^b\.h5,a\.h5,1,20,1,$first,$first,$(awk "BEGIN { printf \"%.9g\", $equal / 20 }")$" cat table.csv

# windows evenly spaced, a seed for each, none where nothing is drawn
expect 0 '^same\.h5,a\.h5,3,20,0,,,1$' $texts --prompts 3 --temperature 0.5 --seed 7 -o three.csv
for row in 0,0.5,7 2,0.5,8 4,0.5,9; do
    expect 0 "^b\.h5,a\.h5,$row,20,[0-9]*,[0-9]+$" cat three.csv
done
expect 0 '^same\.h5,a\.h5,6,20,0,,,1$' $texts --prompts 6 -o likely.csv
expect 0 '^b\.h5,a\.h5,5,0,,20,[0-9]*,[0-9]+$' cat likely.csv
[ "$(wc -l <likely.csv)" = 13 ]

# the table is that of the rows
awk -F, 'NR > 1 && $1 == "b.h5" { n += $7 != ""; sum += $8 } END { printf "%d %.9g\n", n, sum / 120 }' likely.csv >rows.txt
$texts --prompts 6 | awk -F, '$1 == "b.h5" { print $5, $8 }' >table.txt
same rows.txt table.txt

expect 2 '^known\.h5: has 6 held-out windows, fewer than --prompts 7$' $texts --prompts 7
expect 2 '^samebits texts: ' samebits texts a.h5
expect 2 '^b\.h5: the same file as the input b\.h5; name another output$' $texts -o b.h5
expect 2 "^a\.h5: learned from 'text' .*; name its file with --data$" samebits texts a.h5 b.h5
expect 0 '^updates 1 ' $gpt --context 8 --updates 1 -o short.h5
expect 2 '^short\.h5: has a context of 8 tokens, and a\.h5 of 16$' samebits texts a.h5 short.h5 --data known.h5 --prompts 1
samebits-data synth digits --images 20 --test 5 -o digits.h5 2>/dev/null
samebits train --model autoencoder --data digits.h5 --batch 10 --updates 2 --quiet -o images.h5 >/dev/null
expect 2 '^images\.h5: autoencoder learned from no text$' samebits texts images.h5 images.h5 --data digits.h5
