# The videos that anyone may use: which there are, which are meant, and what is refused. With SB_TEST_PUBLIC=FOLDER, which
# has them, they are converted, and their frames are those that the catalog states.
export SAMEBITS_CACHE=$PWD/cache
expect 0 '^public +video +8\.3 MB +no +of each file ' samebits-data list
expect 0 '^cups +2\.5 MB +no +300 +Apache-2\.0 +07_cups_game\.mp4$' samebits-data list public
[ "$(wc -l <expect.out)" = 10 ]
expect 0 '^- +1\.6 MB +no +0 +CC BY-SA 3\.0 +t10k-images-idx3-ubyte\.gz$' samebits-data list mnist
expect 2 "unknown file 'cubs', did you mean 'cups'\?.*samebits-data list public" samebits-data fetch public cubs
expect 2 "wants one NAME, not also 'all'" samebits-data fetch mnist all
expect 4 '01_walk_hero7\.mp4: not in the cache, and --offline forbids the net' samebits-data fetch public --offline
expect 4 "public/01_walk_hero7\.mp4: not here; 'samebits-data fetch public walk' downloads it" samebits-data convert public -o p.h5
mkdir mirror
echo 'another film' >mirror/06_cup.mp4
expect 7 '06_cup\.mp4: offers 13 bytes, 1575951 expected: another file' samebits-data fetch public cup --mirror mirror --only-mirror
absent cache/public/06_cup.mp4
expect 7 '06_cup\.mp4: its sha256 is .* expected: another file' samebits-data convert public cup --from mirror -o p.h5
absent p.h5
expect 2 "unknown file 'walks', did you mean 'walk'" samebits-data convert public walks -o p.h5

[ "${SB_TEST_PUBLIC-}" ] || exit 0
expect 0 '09_coffee\.mp4$' samebits-data fetch public all --mirror "$SB_TEST_PUBLIC" --only-mirror
expect 0 'public +video +8\.3 MB +yes' samebits-data list
for size in 160x120 48x32; do
    expect 0 '790 frames' samebits-data convert public --size $size --threads 2 -o p.h5
    expect 0 'public, 790 frames of .*, 3 sequences, digest' samebits-data verify p.h5
    expect 0 '3186 frames' samebits-data convert public all --size $size -o all.h5
    expect 0 'public, 3186 frames of .*, 14 sequences, digest' samebits-data verify all.h5
done
expect 0 '218 frames|221 frames' samebits-data convert public highway --size 20x20 -o small.h5
