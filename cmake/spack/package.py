# A Spack recipe of samebits, for a repository of one's own: `spack repo create DIR`, this file as
# DIR/packages/samebits/package.py, `spack repo add DIR`, and `spack dev-build samebits@main` in a clone.
#
# Behind each dependency stand the names by which cmake/libraries.cmake and the CMakeLists.txt ask for it; a test holds
# the two lists together. No test has run Spack itself: its packages are not part of Debian 12.
from spack.package import *


class Samebits(CMakePackage):
    """The reproducibility package of a published and retracted study: does the hardware one trains on change what a
    network learns? Training with the same bits on every CPU, a matrix of configurations, tables and figures."""

    license("Apache-2.0")
    version("main")

    variant("static", default=False, description="Link the trainer fully static; wants the C library as an archive")
    variant("cuda", default=False, description="The GPU backends")

    depends_on("c", type="build")
    depends_on("cmake@3.22:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("git", type="build")
    depends_on("cmocka")  # cmocka
    depends_on("hdf5~mpi+szip+hl")  # hdf5 hdf5-serial hdf5_hl
    depends_on("libaec")  # sz aec
    depends_on("zlib")  # z zlib
    depends_on("libpng")  # png
    depends_on("openssl")  # crypto
    depends_on("zstd")  # zstd
    depends_on("xxhash")
    depends_on("random123")
    depends_on("openblas threads=pthreads")  # openblas
    depends_on("curl")  # libcurl
    depends_on("ffmpeg")  # libavformat libavcodec libswscale libavutil
    depends_on("libcyaml")  # cyaml
    depends_on("libyaml")  # yaml
    depends_on("jansson")  # jansson
    depends_on("libarchive")  # archive libarchive
    depends_on("gsl")  # gsl
    depends_on("gnuplot", type="run")
    depends_on("cuda@11.8:", when="+cuda")  # CUDAToolkit

    generator("ninja")

    def cmake_args(self):
        return [self.define_from_variant("SB_STATIC", "static"), self.define_from_variant("SB_CUDA", "cuda")]
