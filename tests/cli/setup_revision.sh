# The revision that every run records: of the sources' own repository, of the archive that they came in, or unknown; never
# of another repository that they happen to lie in.
command -v git >/dev/null || { echo "skipped: no git"; exit 77; }
export GIT_CONFIG_NOSYSTEM=1 HOME=$PWD/home
mkdir home
git config --global user.name "A Person"
git config --global user.email person@example.org

# commit DIR: everything in it as a repository of its own
commit() { git -C "$1" init -q 2>/dev/null && git -C "$1" add -A && git -C "$1" commit -qm sources; }
# says REVISION DIR [WHY]: what its script says, and on stderr nothing, or why the revision is unknown
says() {
    got=$(cd / && sh "$OLDPWD/$2/cmake/revision.sh" 2>"$OLDPWD/why")
    [ "$got" = "$1" ] || { echo "FAILED: $2 says '$got', wanted '$1'"; exit 1; }
    if [ "${3-}" ]; then
        grep -qE "^cmake/revision.sh: the revision of these sources is unknown, .*$3" why || { cat why; exit 1; }
        return
    fi
    [ ! -s why ] || { echo "FAILED: $2 complains:"; cat why; exit 1; }
}

mkdir own outer
cp -r "$SB_SOURCE"/{CMakeLists.txt,.gitattributes,cmake,src,results/demo-reference} own/
commit own
own=$(git -C own rev-parse HEAD | cut -c 1-12)
says "$own" own
ln -s own linked
says "$own" linked
GIT_DIR=$PWD/outer/.git says "$own" own # as a hook of another repository sets it

# one text for one revision: tags and history say nothing; nor do a user's own settings, or whose files they are
git -C own tag -a v1 -m tagged
git -C own tag light
says "$own" own
git -C own -c user.name=A commit -q --allow-empty -m later
own=$(git -C own rev-parse HEAD | cut -c 1-12)
says "$own" own
git clone -q --depth 1 "file://$PWD/own" shallow
says "$own" shallow
git clone -q own whole
says "$own" whole
GIT_TEST_ASSUME_DIFFERENT_OWNER=1 says "$own" own
git -c core.abbrev=5 clone -q -c core.abbrev=5 -c core.autocrlf=true own crlf
says "$own" crlf
diff -r --exclude=.git own crlf
expect 0 'holds' samebits verify crlf/demo-reference

# inside another repository: an archive, a copy of the files, files that the other repository keeps
echo outer >outer/file
commit outer
git -C own archive --prefix=archive/ HEAD | tar -x -C outer
says "$own-archive" outer/archive
mkdir outer/copy
cp -r own/{CMakeLists.txt,.gitattributes,cmake,src} outer/copy/
says unknown outer/copy 'a repository that is not theirs'
commit outer
says unknown outer/copy 'a repository that is not theirs'
says "$own-archive" outer/archive
# in the other repository's root, but not of it
mkdir -p root; echo outer >root/file; commit root
cp -r own/cmake root/
says unknown root 'a repository that is not theirs'
# no repository anywhere, no git at all
mkdir alone
cp -r own/cmake alone/
says unknown alone 'not a git repository'
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
expect 0 'the revision of these sources is unknown' cmake -DSOURCE="$PWD/alone" -DOUTPUT=given/build_facts.h -DVERSION=1 \
    -P own/cmake/build_facts.cmake
[ "$(fact given)" = unknown ]
cmake -DSOURCE="$PWD/outer/copy" -DOUTPUT=given/build_facts.h -DVERSION=1 '-DREVISION=a"b' -P own/cmake/build_facts.cmake
[ "$(fact given)" = unknown ]
