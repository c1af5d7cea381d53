# What the tests with real containers begin with: podman with a store of its own, and the built trainer as the image
# localhost/samebits:cpu. Sourced, not run. Skips the test where no engine can start a container, or where the trainer is not
# one static file (an image FROM scratch holds nothing else). Afterwards: $trainer, $test_folder, $tag, build [OPTION...].
trainer=$SB_BUILD/bin/samebits
if readelf -lW "$trainer" | grep -q INTERP; then
    echo "skipped: this build's trainer is not static, so it cannot run in an empty image"
    exit 77
fi
folder=$PWD
mkdir context; cp "$trainer" context/
printf 'FROM scratch\nCOPY samebits /samebits\nENTRYPOINT ["/samebits"]\n' >context/Containerfile

# A store of our own, as plain folders. If podman cannot start as this machine has it set up, then with the runtime and
# the limits that a root without rights over limits and cgroups can have.
printf '[storage]\ndriver = "vfs"\ngraphroot = "%s/store"\nrunroot = "%s/store-run"\n' "$test_folder" "$test_folder" >storage.conf
sed 's/^\[engine\]/&\nevents_logger = "none"/' "$SB_SOURCE/containers/sandbox.conf" >sandbox.conf
cat >plain.conf <<'END'
[engine]
events_logger = "none"
END
export CONTAINERS_STORAGE_CONF=$test_folder/storage.conf
tag=localhost/samebits:cpu
starts() { podman run --rm --pull=never --network=none $tag info >/dev/null 2>>why; }
build() { podman build -q --timestamp=0 --no-cache --network=none -t $tag "$@" context; }
engine=
if command -v podman >/dev/null; then
    for conf in plain sandbox; do
        export CONTAINERS_CONF=$test_folder/$conf.conf
        if build >built 2>>why && starts; then engine=podman && break; fi
    done
fi
if [ -z "$engine" ]; then
    echo "skipped: no container can start here: $(tail -1 why 2>/dev/null || echo 'podman is not installed')"
    exit 77
fi
