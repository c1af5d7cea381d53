# A file that may not grow: a sentence and exit code 1, nothing left behind, and the same bits once it may. train_disk_full
# has a disk that fills up.
make_file video data.h5 20x12 60 1
train="samebits train --data data.h5 --channels 3,16,16 --window 5 --quiet"
limited() { (trap '' XFSZ && ulimit -f 200 && exec "$@"); } # files of 200 KiB at most
expect 0 "^updates 4 " $train --updates 4 -o straight.h5
expect 1 '^limited.h5.*: File too large' limited $train --updates 4 -o limited.h5
absent limited.h5 limited.h5.part
expect 0 "^updates 4 " $train --updates 4 -o limited.h5
expect 0 "^same bits over 4 entries" samebits diff straight.h5 limited.h5
