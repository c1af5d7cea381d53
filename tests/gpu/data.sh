# The data sets that check.sh trains on besides those of make_file: a folder for them, and samebits-data on PATH.
#   . tests/gpu/data.sh; gpu_data FOLDER
gpu_data() {
    samebits-data synth shapes --images 128 --test 8 --seed 1 -o "$1/shapes.h5" &&
        samebits-data synth digits --images 128 --test 8 --seed 1 -o "$1/digits.h5"
}
