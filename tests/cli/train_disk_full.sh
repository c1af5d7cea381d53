# A disk that fills up: a sentence and exit code 1, the last checkpoint untouched, and on it goes when there is room. It
# mounts a disk of 4 MiB; train_file_limit has a limit that needs no rights, train_faults every call that may fail.
mkdir small
mount -t tmpfs -o size=4m none small 2>mount.out || { echo "skipped: no file system of its own: $(cat mount.out)"; exit 77; }
trap 'umount "$test_folder/small"; rm -rf "$test_folder"' EXIT
make_file video data.h5 20x12 60 1
train="samebits train --data data.h5 --channels 3,16,16 --window 5 --quiet"
expect 0 "^updates 4 " $train --updates 4 -o straight.h5
expect 0 "^updates 2 " $train --updates 2 -o small/run.h5
cp small/run.h5 before.h5
dd if=/dev/zero of=small/filler bs=1k 2>/dev/null || true
expect 1 '^small/run.h5.*: No space left on device' $train --updates 4 -o small/run.h5
same small/run.h5 before.h5
absent small/run.h5.part
expect 1 '^small/other.h5.*: No space left on device' $train --updates 2 -o small/other.h5
absent small/other.h5 small/other.h5.part small/other.h5.journal
rm small/filler
expect 0 "small/run.h5: continued from update 2\$" $train --updates 4 -o small/run.h5
expect 0 "^same bits over 4 entries" samebits diff straight.h5 small/run.h5
absent small/run.h5.part small/run.h5.journal
