# File systems without locks, as network file systems of clusters can be: nothing that is read or made needs one. What
# does says that the file system has none, and what to do. Every flock() of the programs fails here (support/fault.c).
fault=$SB_BUILD/bin/fault
"$fault" --below "$PWD" --log calls -- true 2>fault.out || { cat fault.out; exit 77; }
make_file video data.h5 48x32 60 1
train="samebits train --data data.h5 --channels 3,8 --window 4 --quiet --updates 4"
expect 0 '^weights' $train -o run.h5
expect 0 'written|frames' samebits-data synth walk --size 48x32 --frames 6 -o walk.h5
without="No locks available"
errors="ENOLCK EOPNOTSUPP ENOSYS"
[ ! "${SB_TEST_SLOW-}" ] || errors=EOPNOTSUPP

for error in $errors; do
    lockless="$fault --below $PWD --log calls --locks $error --"
    case $error in EOPNOTSUPP) without="Operation not supported" ;; ENOSYS) without="Function not implemented" ;; esac
    # reading
    expect 0 '^data.h5: data set: holds' $lockless samebits verify data.h5
    lacks expect.out 'locks'
    expect 0 '^same bits over 4 entries' $lockless samebits diff run.h5 run.h5
    expect 0 '^walk.h5: ' $lockless samebits-data verify walk.h5
    # what others set for HDF5 changes nothing
    for value in TRUE FALSE BEST_EFFORT; do
        expect 0 'holds' env HDF5_USE_FILE_LOCKING=$value $lockless samebits verify run.h5
    done
    # making: a line says once what is not guarded, and the bytes are the same
    rm -f made.h5 trained.h5
    expect 0 "^made.h5: its file system has no locks \($without\); do not write this file from two processes" \
        $lockless samebits-data synth walk --size 48x32 --frames 6 -o made.h5
    same_h5 walk.h5 made.h5
    expect 0 "^trained.h5: its file system has no locks \($without\); do not train this run by two processes" \
        $lockless $train -o trained.h5
    count=$(grep -c 'has no locks' expect.out)
    [ "$count" = 1 ]
    expect 0 '^same bits over 4 entries' samebits diff run.h5 trained.h5
    # fetching
    mkdir -p mirror
    echo content >mirror/file
    echo "package 8 $(sha256sum <mirror/file | cut -d' ' -f1) file https://nowhere.invalid/" >list
    rm -rf cache
    expect 0 "^cache/packages/package/file: its file system has no locks \($without\); do not fetch this file" \
        $lockless samebits-data fetch package --list list --mirror mirror --offline --cache cache
    same mirror/file cache/packages/package/file
done

# nor is a file system that cannot flush one file a reason to lose it; a disk that fails is
mkdir flushed
make="samebits-data synth walk --size 48x32 --frames 6 -o flushed/walk.h5"
"$fault" --below "$PWD/flushed" --log calls -- $make 2>/dev/null
flush="$fault --below $PWD/flushed --log calls --at $(sed -n 's/^\([0-9]*\) fsync .*/\1/p' calls)"
for error in ENOSYS EOPNOTSUPP; do
    expect 0 '^flushed/walk.h5: ' $flush --error $error -- $make
    grep -q ' fsync .* failed$' calls
    same_h5 walk.h5 flushed/walk.h5
done
expect 1 '^flushed/walk.h5: Input/output error$' $flush --error EIO -- $make

# where there are locks, HDF5's own are not needed: a file that another process writes in place is not called damaged
exec 9<>data.h5
flock 9
expect 2 '^data.h5: locked: another process is writing this file$' $train -o other.h5
flock -u 9
exec 9>&-
