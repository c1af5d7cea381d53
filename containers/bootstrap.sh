#!/usr/bin/env bash
# bootstrap.sh [--mirror URL]: a base image for every stack without a registry, localhost/samebits-base:bookworm: Debian 12
# with the packages that building the trainer takes, from a Debian mirror (else apt's default one), imported into podman
# or docker (ENGINE=). The build itself then needs no network:
#   containers/bootstrap.sh && samebits-matrix image build cpu --base localhost/samebits-base:bookworm
set -euo pipefail
here=$(dirname "$0")
engine=${ENGINE:-podman}
mirror=
case "${1-}" in
--mirror) mirror=${2:?--mirror wants a URL} ;;
'') ;;
*) echo "bootstrap.sh: wants [--mirror URL], not '$1'" >&2 && exit 2 ;;
esac
for tool in mmdebstrap "$engine"; do
    command -v "$tool" >/dev/null || { echo "bootstrap.sh: $tool is missing: apt-get install $tool" >&2; exit 4; }
done
# It takes what comes out of minutes of work, so it is asked first.
"$engine" info >/dev/null || { echo "bootstrap.sh: $engine does not work here, see above" >&2; exit 4; }
packages=$("$here/install.sh" --list build trainer matrix cuda | paste -sd,)
export SOURCE_DATE_EPOCH=0 # the same packages are the same archive
mmdebstrap --quiet --variant=minbase --include="$packages" bookworm - $mirror |
    "$engine" import - localhost/samebits-base:bookworm
