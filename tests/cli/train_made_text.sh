# Without --data a network of text learns from the text of 'samebits-data synth text', which is made in memory: the bits, the
# record and what every other verb finds are those of the file.
small='--model gpt --blocks 1 --heads 2 --width 16 --context 16 --batch 4'
expect 0 '^updates 3 ' samebits train $small --updates 3 --quiet -o made.h5
also '^held-out tokens 19984  right [0-9]+  cross-entropy '
samebits-data synth text -o text.h5 2>/dev/null
expect 0 '^updates 3 ' samebits train $small --updates 3 --quiet --data text.h5 -o file.h5
expect 0 '^same bits over 3 entries' samebits diff made.h5 file.h5
expect 0 '^[0-9]+ of [0-9]+ the same$' same_h5 made.h5 file.h5 eval
expect 0 '^[0-9]+ of [0-9]+ the same$' same_h5 made.h5 file.h5 characters
expect 0 '^the same bits here over 3 entries' samebits replay made.h5 --data text.h5 --quiet
expect 0 '^the same bits here over 3 entries' samebits replay file.h5 --quiet
expect 0 'holds, 3 updates' samebits verify made.h5

# an interruption, a network of one's own, evaluation, single updates, a trace, the cause of a difference
expect 0 '^updates 2 ' samebits train $small --updates 2 --quiet -o again.h5
expect 0 'continued from update 2' samebits train $small --updates 3 --quiet --input prefetch -o again.h5
expect 0 '^same bits over 3 entries' samebits diff made.h5 again.h5
printf 'embedding 8 16\npointwise classes\n' >words.layers
expect 0 '^updates 1 ' samebits train --model layers --layers words.layers --updates 1 --quiet -o words.h5
samebits eval made.h5 >made.txt
samebits eval made.h5 --data text.h5 >file.txt
same made.txt file.txt
expect 0 "^[0-9a-f]{32}$" samebits step $small --windows 3
cp expect.out made.txt
expect 0 "^[0-9a-f]{32}$" samebits step $small --windows 3 --data text.h5
same expect.out made.txt
samebits trace $small -o made.trace >/dev/null
samebits trace $small --data 'synth text' -o file.trace >/dev/null
expect 0 '^the same bits in all ' samebits bisect made.trace file.trace
expect 0 '^updates 3 ' samebits train $small --updates 3 --lr 0.002 --quiet -o lr.h5
expect 1 'the only setting that differs: lr' samebits bisect made.h5 lr.h5 --quiet

# another text is named, never taken by default
samebits-data synth text --seed 2 -o second.h5 2>/dev/null
expect 0 '^updates 1 ' samebits train $small --updates 1 --quiet --data second.h5 -o other.h5
for verb in eval replay; do
    expect 2 "^other\.h5: learned from 'second' \(digest [0-9a-f]{32}\); name its file with --data$" samebits $verb other.h5
done
expect 2 "^other\.h5: learned from 'second' " samebits bisect made.h5 other.h5 --quiet
expect 0 '^n 19984  loss ' samebits eval other.h5 --data second.h5

# no other network has a default
expect 2 "^lenet learns from images: name the data set with --data FILE; 'samebits-data synth digits -o digits.h5' makes one$" \
    samebits train --model lenet -o no.h5
expect 2 "^prednet learns from video: name the data set with --data FILE; 'samebits-data synth walk -o walk.h5' makes one$" \
    samebits train -o no.h5
absent no.h5 no.h5.journal 'synth text'
