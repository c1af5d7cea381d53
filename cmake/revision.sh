#!/bin/sh
# revision.sh: the revision of the sources that this file lies in, for what every run records. git's, where this file is
# tracked in a repository whose root is the sources' own; sources that merely lie inside another repository are none of
# its. An archive (git archive, or a host's download) carries the revision that git wrote below, export-subst in
# .gitattributes, and says that it is one, for nothing tells whether it was changed. Else unknown.
archived='$Format:%H$'

cd "$(dirname "$0")/.." || exit
if command -v git >/dev/null; then
    # shellcheck disable=SC2046 # a list of names
    unset $(git rev-parse --local-env-vars)
    prefix=$(git rev-parse --show-prefix 2>/dev/null || echo none)
    if [ -z "$prefix" ] && git ls-files --error-unmatch cmake/revision.sh >/dev/null 2>&1 &&
        git describe --always --dirty --abbrev=12 2>/dev/null; then
        exit
    fi
fi
case $archived in
*[!0-9a-f]*) echo unknown ;;
*) printf '%.12s-archive\n' "$archived" ;;
esac
