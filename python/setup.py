"""Builds the wheel: plain Python and libsamebits.so, so that one wheel serves every Python on this kind of machine. The library
is the one that SAMEBITS_LIBRARY names, else that of a build in this repository (cmake --build build/cpu --target
samebits-library)."""
import os
import pathlib
import platform
import re
import shutil
import sysconfig

from setuptools import setup
from setuptools.command.build_py import build_py

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:  # setuptools before 70.1
    from wheel.bdist_wheel import bdist_wheel

HERE = pathlib.Path(__file__).resolve().parent


def library():
    named = os.environ.get("SAMEBITS_LIBRARY")
    places = [pathlib.Path(named)] if named else [HERE / "samebits" / "libsamebits.so"] + [
        HERE.parent / "build" / preset / "lib" / "libsamebits.so" for preset in ("cpu", "ci")]
    for place in places:
        if place.exists():
            return place
    raise SystemExit(f"{places[-1]}: no libsamebits.so; 'make wheel' builds it, or SAMEBITS_LIBRARY names one")


class Build(build_py):
    def run(self):
        super().run()
        target = pathlib.Path(self.build_lib) / "samebits" / "libsamebits.so"
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.resolve() != library().resolve():
            shutil.copyfile(library().resolve(), target)


def platform_tag():
    """manylinux_2_34_x86_64: pip refuses the wheel where glibc is older than what the library was linked against."""
    needed = [tuple(map(int, version)) for version in re.findall(rb"GLIBC_(\d+)\.(\d+)", library().read_bytes())]
    if not needed or platform.system() != "Linux":
        return sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return "manylinux_{}_{}_{}".format(*max(needed), platform.machine())


class Wheel(bdist_wheel):
    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self):
        return "py3", "none", platform_tag()


setup(cmdclass={"build_py": Build, "bdist_wheel": Wheel})
