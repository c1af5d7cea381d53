# Fetching by the program: mirrors, faults, exit codes. The real files are used where the environment says where they
# are (SB_TEST_MNIST=FOLDER); everything else needs none.
export no_proxy=127.0.0.1 SAMEBITS_CACHE=$PWD/cache
mkdir served
for name in train-images-idx3 train-labels-idx1 t10k-images-idx3 t10k-labels-idx1; do
    head -c 9912422 /dev/zero >served/$name-ubyte.gz # the size of the first file
done

# with_server FAULT code pattern options...: fetch mnist from the test server
with_server() {
    local fault=$1 folder=$2 code=$3 pattern=$4 pid
    shift 4
    rm -f port
    serve_folder "$folder" port "$fault" &
    pid=$!
    while [ ! -s port ]; do kill -0 $pid; sleep 0.02; done
    (expect "$code" "$pattern" samebits-data fetch mnist --mirror "http://127.0.0.1:$(cat port)/" --only-mirror \
        --retry-delay 0.01 "$@") || { kill $pid; exit 1; }
    kill $pid
    wait $pid 2>/dev/null || true
}
with_server not-found served 1 'train-images-idx3-ubyte.gz: the server answers 404 \(not found\); give --mirror'
absent cache/mnist/train-images-idx3-ubyte.gz cache/mnist/train-images-idx3-ubyte.gz.part
with_server none served 7 'its sha256 is [0-9a-f]{64}, 440fcabf73cc546f[0-9a-f]{48} expected'
absent cache/mnist/train-images-idx3-ubyte.gz cache/mnist/train-images-idx3-ubyte.gz.part
with_server stop served 1 'the server stopped after 4956211 of 9912422 bytes' --retries 0
absent cache/mnist/train-images-idx3-ubyte.gz
test "$(stat -c %s cache/mnist/train-images-idx3-ubyte.gz.part)" = 4956211
with_server drip served 1 'less than 1000 bytes a second over 1 s; given up after [0-9]+ of 9912422 bytes' --retries 0 \
    --timeout 1
rm -r cache

# a full disk (here: a limit on the size of files) is a sentence, and frees what it took
(
    ulimit -f 8
    with_server none served 1 'cannot be written: File too large'
    absent cache/mnist/train-images-idx3-ubyte.gz cache/mnist/train-images-idx3-ubyte.gz.part
)

expect 4 "offline forbids the net; give --mirror DIR, or run 'make demo'" samebits-data fetch mnist --offline
expect 1 "Could not resolve host.*; give --mirror DIR or --mirror URL.*'make demo'" \
    samebits-data fetch mnist --mirror http://no-such-host.invalid/ --only-mirror --retries 0
expect 2 '^nowhere: No such file or directory' samebits-data fetch mnist --mirror nowhere
expect 2 "unknown data set 'mnits', did you mean 'mnist'\? \(see 'samebits-data list'\)" samebits-data fetch mnits
expect 2 'walk is made, not fetched' samebits-data fetch walk
expect 2 'only-mirror wants a --mirror' samebits-data fetch mnist --only-mirror
expect 2 "retries wants a whole number in \[0, 20\], not '-1'" samebits-data fetch mnist --retries -1
expect 0 'mnist +images +11.6 MB +no ' samebits-data list
expect 2 "unknown verb 'get'" samebits-data get
expect 2 'convert: wants a verb' samebits-data convert
expect 0 'usage: samebits-data VERB' samebits-data --help

if [ -z "${SB_TEST_MNIST:-}" ]; then
    echo 'not tried: the real MNIST files (SB_TEST_MNIST is not set)'
    return 0
fi
expect 0 'mnist: complete' samebits-data fetch mnist --mirror "$SB_TEST_MNIST" --offline
expect 0 'mnist +images +11.6 MB +yes ' samebits-data list
expect 0 'mnist.h5: written' samebits-data convert mnist -o mnist.h5
mv mnist.h5 folder.h5
rm -r cache
with_server stop-once "$SB_TEST_MNIST" 0 'mnist: complete'
samebits-data convert mnist -o mnist.h5
same mnist.h5 folder.h5
expect 0 '^mnist.h5: mnist, 60000 images and 10000 test images of 28x28, digest f92bfa447dcd3cf099234465f2c9e43f' \
    samebits-data verify mnist.h5
tr -d '\n\0' <mnist.h5 | grep -aq 'LeCun.*CC BY-SA' || { echo 'FAILED: MNIST without its authors and licence'; exit 1; }
