# What sysroot.sh refuses before it asks apt for anything; setup_sysroot has what it fetches.
sysroot=$SB_SOURCE/cmake/cross/sysroot.sh
expect 2 '^usage: sysroot.sh arm64\|riscv64\|s390x FOLDER$' "$sysroot" sparc root
expect 2 '^usage' "$sysroot" arm64
absent root apt.log
if [ ! -f /usr/share/keyrings/debian-archive-keyring.gpg ]; then
    expect 4 '^root: no .*debian-archive-keyring.gpg here' "$sysroot" arm64 root
fi
