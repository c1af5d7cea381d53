# The revision that every run records: of the sources' own repository, of the archive that they came in, or unknown; never
# of another repository that they happen to lie in.
command -v git >/dev/null || { echo "skipped: no git"; exit 77; }
export GIT_CONFIG_NOSYSTEM=1 HOME=$PWD/home
mkdir home
git config --global user.name "A Person"
git config --global user.email person@example.org

# commit DIR: everything in it as a repository of its own
commit() { git -C "$1" init -q 2>/dev/null && git -C "$1" add -A && git -C "$1" commit -qm sources; }
# says REVISION DIR: what its script says
says() {
    got=$(cd / && sh "$OLDPWD/$2/cmake/revision.sh")
    [ "$got" = "$1" ] || { echo "FAILED: $2 says '$got', wanted '$1'"; exit 1; }
}

mkdir own outer
cp -r "$SB_SOURCE"/{CMakeLists.txt,.gitattributes,cmake,src} own/
commit own
own=$(git -C own rev-parse --short=12 HEAD)
says "$own" own
ln -s own linked
says "$own" linked
GIT_DIR=$PWD/outer/.git says "$own" own # as a hook of another repository sets it

# inside another repository: an archive, a copy of the files, files that the other repository keeps
echo outer >outer/file
commit outer
git -C own archive --prefix=archive/ HEAD | tar -x -C outer
says "$own-archive" outer/archive
mkdir outer/copy
cp -r own/{CMakeLists.txt,.gitattributes,cmake,src} outer/copy/
says unknown outer/copy
commit outer
says unknown outer/copy
says "$own-archive" outer/archive
# in the other repository's root, but not of it
mkdir -p root; echo outer >root/file; commit root
cp -r own/cmake root/
says unknown root
# no repository anywhere, no git at all
mkdir alone
cp -r own/cmake alone/
says unknown alone
mkdir bin
ln -s "$(command -v sh)" "$(command -v dirname)" bin/
got=$(PATH=$PWD/bin sh outer/archive/cmake/revision.sh)
[ "$got" = "$own-archive" ]

# what the build makes of it
fact() { sed -n 's/^#define SB_REVISION "\(.*\)"$/\1/p' "$1/build_facts.h"; }
configure() { cmake -S "$1" -B "$2" -G Ninja -DSB_CUDA=OFF "${@:3}" >log 2>&1 || { tail log; exit 1; }; }
configure outer/archive build '-DCMAKE_C_FLAGS=-ffile-prefix-map='"$PWD/outer/archive=. -I$HOME/include"
cmake --build build --target sb_build_facts >log
[ "$(fact build)" = "$own-archive" ]
grep -qF 'define SB_FLAGS    "Release -ffile-prefix-map=SOURCE=. -IHOME/include -O3 -g1"' build/build_facts.h
echo changed >>own/CMakeLists.txt
says "$own-dirty" own
# given, as a build in a container does
cmake -DSOURCE="$PWD/outer/copy" -DOUTPUT=given/build_facts.h -DVERSION=1 -DREVISION=1a2b3c -P own/cmake/build_facts.cmake
[ "$(fact given)" = 1a2b3c ]
cmake -DSOURCE="$PWD/outer/copy" -DOUTPUT=given/build_facts.h -DVERSION=1 '-DREVISION=a"b' -P own/cmake/build_facts.cmake
[ "$(fact given)" = unknown ]
