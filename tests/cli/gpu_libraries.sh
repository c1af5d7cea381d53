# What cuBLAS and cuDNN answer without a device (support/ask_libraries.c), here with those of the tests; the real ones of the
# images are asked by hand (containers/README.md). A function that a library does not have is a sentence.
export SAMEBITS_CUBLAS=$SB_BUILD/tests/fake_libraries/libcublas.so.12 SAMEBITS_CUDNN=$SB_BUILD/tests/fake_libraries/libcudnn.so.8
expect 0 '^cuBLAS 12.0.2$' ask_libraries
also '^cuDNN 8.9.2$'
also '^16 filters of 3x3 over 2x3x48x32: 2x16x48x32$'
also '^6 operations of the graph API are described$'
for name in cudnnBackendSetAttribute cudnnSetConvolutionMathType cudnnGetConvolutionForwardAlgorithm_v7 cudnnGetVersion; do
    sed "s/$name/${name%?}Q/g" "$SAMEBITS_CUDNN" >renamed.so
    SAMEBITS_CUDNN=$PWD/renamed.so expect 4 "^cuDNN has no $name; another version is needed$" ask_libraries
done
sed 's/cublasSgemm_v2/cublasSgemm_v3/g' "$SAMEBITS_CUBLAS" >renamed.so
SAMEBITS_CUBLAS=$PWD/renamed.so expect 4 '^cuBLAS has no cublasSgemm_v2; another version is needed$' ask_libraries
SAMEBITS_CUDNN=/nowhere/libcudnn.so.9 expect 4 '^cuDNN is not here \(/nowhere/libcudnn.so.9: ' ask_libraries

# The table of engines needs a GPU and cuDNN; its options are checked first.
if samebits info | grep -qE '^  cudnn +absent'; then
    expect 4 '^backend cudnn cannot run here: ' samebits info --cudnn-engines
fi
expect 2 "^samebits info: --convolution wants NxINxOUTxHxWxKERNEL with an odd kernel, not '3x3'$" \
    samebits info --cudnn-engines --convolution 3x3
expect 2 '^samebits info: --convolution is for --cudnn-engines$' samebits info --convolution 1x3x3x8x8x3
