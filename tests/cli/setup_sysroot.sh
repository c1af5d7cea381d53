# sysroot.sh with an apt and a dpkg-deb of our own: what it fetches, from where, and what it says where it cannot.
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
[ -f $keyring ] || { echo "skipped: no $keyring"; exit 77; }
sysroot=$SB_SOURCE/cmake/cross/sysroot.sh
mkdir bin
cat >bin/apt-get <<'END'
#!/bin/sh
echo "$*" >>"$LOG"
grep '^deb ' "$(sed -n 's/^Dir::Etc::sourcelist "\(.*\)";/\1/p' "$APT_CONFIG")" >>"$LOG"
case "$1 ${APT_FAILS-}" in
    "update update"|"download download") echo "E: that went wrong"; exit 100 ;;
    download*) touch one.deb two.deb ;;
esac
END
printf '#!/bin/sh\nmkdir -p "$3/usr/lib"; touch "$3/usr/lib/$(basename "$2").a"\n' >bin/dpkg-deb
chmod +x bin/*
export PATH=$PWD/bin:$PATH LOG=$PWD/apt.log

expect 0 '^.*/root: fetching .*libhdf5-dev .*\(Debian bookworm, arm64\)$' "$sysroot" arm64 root
ls root/usr/lib >there
printf 'one.deb.a\ntwo.deb.a\n' | cmp - there
expect 0 '^deb \[signed-by=.*\] http://deb.debian.org/debian bookworm main$' cat apt.log
also '^download -q .*libopenblas-pthread-dev'
absent root/apt

# done once; another list of packages, here that of another machine, is fetched anew
rm apt.log
"$sysroot" arm64 root >said 2>&1
[ ! -s said ]
absent apt.log
DEBIAN=http://mirror.example/debian expect 0 'libgcc-14-dev .*\(Debian trixie, riscv64\)$' "$sysroot" riscv64 root
expect 0 ' http://mirror.example/debian trixie main$' cat apt.log

# what cannot be fetched is not there half
APT_FAILS=update expect 4 "root: apt-get cannot read the mirror's lists: E: that went wrong$" "$sysroot" s390x root
APT_FAILS=download expect 4 'root: apt-get cannot download: E: that went wrong$' "$sysroot" s390x root
[ ! -s root/packages ]
mkdir mine
touch mine/thesis
expect 4 '^mine: there is something else' "$sysroot" s390x mine
[ -e mine/thesis ]
expect 0 'Debian bookworm, s390x' "$sysroot" s390x root
