#!/bin/sh
# revision.sh: the revision of the sources that this file lies in, for what every run records. git's, where this file is
# tracked in a repository whose root is the sources' own; sources that merely lie inside another repository are none of
# its. An archive (git archive, or a host's download) carries the revision that git wrote below, export-subst in
# .gitattributes, and says that it is one, for nothing tells whether it was changed. Else unknown, and a line on stderr says
# why. One text for one revision, whatever tags and history a clone has: the first 12 digits of the commit, and -dirty where
# a file was changed.
archived='$Format:%H$'

cd "$(dirname "$0")/.." || exit
here=$(pwd -P)

# git here, also where the sources belong to another user, whose git stops at the first question. It is said of these
# sources alone: what builds them runs their scripts anyway.
trusting_git() { git -c safe.directory="$here" "$@"; }

# why there is no revision, for people
unknown() {
    echo "cmake/revision.sh: the revision of these sources is unknown, and runs will record it so: $1" >&2
    echo unknown
    exit
}

why='no git here, and this is no archive of a revision'
if command -v git >/dev/null; then
    # shellcheck disable=SC2046 # a list of names
    unset $(git rev-parse --local-env-vars)
    if ! prefix=$(trusting_git rev-parse --show-prefix 2>&1); then
        why=$(echo "${prefix#fatal: }" | head -n 1)
    elif [ "$prefix" ] || ! trusting_git ls-files --error-unmatch cmake/revision.sh >/dev/null 2>&1; then
        why='they lie in a repository that is not theirs'
    elif ! text=$(trusting_git describe --always --exclude='*' --dirty --abbrev=40 2>&1); then
        why=$(echo "${text#fatal: }" | head -n 1)
    else
        printf '%.12s%s\n' "$text" "${text#"${text%-dirty}"}"
        exit
    fi
fi
case $archived in
*[!0-9a-f]*) unknown "$why" ;;
*) printf '%.12s-archive\n' "$archived" ;;
esac
