# install.sh with an apt, a dpkg and a sudo of our own: what is missing, who may install it, what is said.
install=$SB_SOURCE/containers/install.sh
list=$SB_SOURCE/containers/packages.txt

mkdir bin
cat >bin/dpkg-query <<'END'
#!/bin/sh
for package in $INSTALLED; do echo "installed $package"; done
echo "config-files libgsl-dev" # removed, its settings still there
END
cat >bin/apt-get <<'END'
#!/bin/sh
echo "$DEBIAN_FRONTEND apt-get $*" >>apt.log
exit ${APT_EXIT-0}
END
printf '#!/bin/sh\necho "${TEST_UID-1000}"\n' >bin/id
printf '#!/bin/sh\n[ "${SUDO_ALLOWED-}" ] || exit 1\n[ "$1" != -n ] || shift\nexec "$@"\n' >bin/sudo
chmod +x bin/*
export PATH=$PWD/bin:$PATH INSTALLED

all=$(sed -n 's/^\([a-z0-9][^ ]*\).*/\1/p' "$list" | sort -u) # two sections may name one package
without() { echo $all | tr ' ' '\n' | grep -vxF "$1"; }
INSTALLED=$all expect 0 "all $(echo "$all" | wc -l) of .*packages.txt are installed" "$install"

# a package with settings left over is not installed; only the sections asked for are looked at
INSTALLED=$(without libgsl-dev)
expect 4 '^packages: missing: libgsl-dev$' "$install" --check
expect 0 'all [0-9]* of' "$install" --check build trainer
expect 2 "no section 'sports'; there are: build trainer ranks cuda data matrix report paper package docs containers tests length fuzz cross" "$install" sports

# all but one
expect 2 "no section 'sports'" "$install" --but sports
[ "$("$install" --list --but report | wc -l)" = $(($(echo "$all" | wc -l) - 2)) ]
expect 0 'all [0-9]* of' "$install" --check --but report

[ "$("$install" --list report containers | paste -sd,)" = gnuplot-nox,libgsl-dev,podman,runc ]

# neither root nor sudo: the line to type, and nothing is run
expect 4 '^sudo apt-get update && sudo apt-get install -y --no-install-recommends libgsl-dev$' "$install"
absent apt.log

printf 'noninteractive apt-get %s\n' 'update -q' 'install -y --no-install-recommends libgsl-dev -q' >wanted.log
SUDO_ALLOWED=1 expect 0 'installed now: libgsl-dev' "$install" report
same wanted.log apt.log
rm apt.log
TEST_UID=0 expect 0 'installed now: libgsl-dev' "$install"
same wanted.log apt.log
TEST_UID=0 APT_EXIT=100 expect 4 'apt-get failed.*: libgsl-dev$' "$install"

# every package says why it is there, and stands there once
bad=$(grep -vE '^$|^#|^[a-z0-9][a-z0-9.+-]+ +# .+$' "$list") || true
[ -z "$bad" ] || { echo "FAILED: not 'name # why': $bad"; exit 1; }
twice=$(echo "$all" | sort | uniq -d)
[ -z "$twice" ] || { echo "FAILED: listed twice: $twice"; exit 1; }
