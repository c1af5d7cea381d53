# The manuals leave nothing out: every key of a matrix file, every fact of a selector, and everything that is in a run file
# and in a data set file has its place in its manual.
docs=$SB_SOURCE/docs

# told PAGE WORD...: each stands in the page as code
told() {
    local page=$1 word
    shift
    [ $# -gt 0 ] || { echo "FAILED: nothing to look for in $page"; exit 1; }
    for word; do
        grep -qF -- "\`$word\`" "$docs/$page" || { echo "FAILED: $page does not tell of \`$word\`"; exit 1; }
    done
    echo "ok: $page tells of $# words"
}

told matrix-files.md $(sed -n 's/^ *\(CELL\|LEARN\|COMPUTE\|RUN\)(A, [A-Z0-9_]*, \([a-z0-9_]*\),.*/\2/p' "$SB_SOURCE/src/core/rows/setting.h" | grep -vx study)
told matrix-files.md $(sed -n '/^enum\|study_fields/,/hardware_file_fields/s/.*\(TEXT\|LIST\|INT\|MAPPING\)("\([a-z]*\)".*/\2/p' \
    "$SB_SOURCE/matrix/schema/matrix_schema.c")
sed -n '/sb_cell_state_word/,/}/p' "$SB_SOURCE/matrix/store/store.c" | grep -o '"[a-z ]*"' | tr -d '"' >states
while read -r state; do told matrix-files.md "$state"; done <states
[ "$(wc -l <states)" -ge 7 ]
# a claim's facts are the factors of matrix files, and these
told claims.md $(sed -n 's/^ *FACT("\([a-z]*\)".*/\1/p' "$SB_SOURCE/src/io/yaml/claim_file.h")
told claims.md $(sed -n 's/^ *\(REQUIRED\|OPTIONAL\)(\([a-z]*\)),/\2/p; s/.*MAPPING("\([a-z]*\)".*sb_claim,.*/\1/p' "$SB_SOURCE/src/io/yaml/claim_file.c")

# run files of both networks, complete and begun
make_clip clip.avi 45 48x32
samebits-data convert video clip.avi --size 48x32 -o walk.h5 2>&1
samebits-data synth digits --images 300 --test 20 --seed 1 -o digits.h5 2>&1
samebits train --data walk.h5 --channels 3,4 --updates 2 --quiet -o video.h5
samebits train --model autoencoder --data digits.h5 --hidden 8 --batch 10 --updates 30 --quiet -o images.h5
groups='meta config train head param final'
told run-file.md $(list_h5 video.h5 $groups | sed -n 's/^\/[a-z]* //p' | sort -u)
told run-file.md $(list_h5 images.h5 $groups eval | sed -n 's/^\/[a-z]* //p' | sort -u)
told run-file.md $(list_h5 video.h5 | grep -vE '^/(param|adam|state)/')
told run-file.md $(list_h5 video.h5 '' train/loss_last train/update | sed -n 's/^\/[a-z/_]* //p' | sort -u)
told run-file.md $(list_h5 walk.h5 '' | sed 's/^\/ //')
told run-file.md $(list_h5 digits.h5 '' | sed 's/^\/ //')
samebits-data synth text --characters 500 -o text.h5 2>&1
samebits train --model layers --layers embedding-8-8_pointwise-classes --data text.h5 --batch 2 --updates 2 --quiet -o learned.h5
told run-file.md $(list_h5 text.h5) $(list_h5 text.h5 characters | sed 's/^\/characters //')
told run-file.md $(list_h5 learned.h5 | grep -E '^/(characters|eval)')

# facts of the machine have names of a pattern, too
for name in $(list_h5 video.h5 env | sed -n 's/^\/env //p'); do
    case $name in
    env_* | cache_* | gpu_* | cuda_* | build_id_* | path_*) ;;
    *) grep -qF "\`$name\`" "$docs/run-file.md" || { echo "FAILED: run-file.md does not tell of /env $name"; exit 1; } ;;
    esac
done

# every folder of the source is in the architecture, every layer in its picture, every manual in the list of them
told architecture.md $(cd "$SB_SOURCE" && ls -d src/*/ src/*/*/ | sed 's,/$,,')
for layer in $(cd "$SB_SOURCE/src" && ls -d */ | tr -d /); do
    grep -q ">$layer<" "$docs/layers.svg" || { echo "FAILED: layers.svg lacks $layer"; exit 1; }
done
for manual in $(cd "$docs" && ls *.md | grep -vx README.md); do
    grep -q "($manual)" "$docs/README.md" || { echo "FAILED: docs/README.md does not list $manual"; exit 1; }
done

# files that a page names are there; NAME, NOUN and KIND stand for one
for page in CONTRIBUTING.md docs/architecture.md docs/specification.md docs/run-file.md; do
    for path in $(grep -oE '`(src|datasets|matrix|paper|tests|containers|docs|results)/[A-Za-z0-9_./-]+`' "$SB_SOURCE/$page" |
        tr -d '`' | grep -vE 'NAME|NOUN|KIND|HASH|results/runs' | sort -u); do
        [ -e "$SB_SOURCE/$path" ] || { echo "FAILED: $page names $path, which is not there"; exit 1; }
    done
done

# one version in all places
version=$(sed -n 's/^project(samebits VERSION \([0-9.]*\).*/\1/p' "$SB_SOURCE/CMakeLists.txt")
[ -n "$version" ]
grep -qx "version: $version" "$SB_SOURCE/CITATION.cff"
grep -q "\"version\": \"$version\"" "$SB_SOURCE/codemeta.json"
grep -qx "version = \"$version\"" "$SB_SOURCE/python/samebits/_version.py"
[ "$(sed -n 's/^## \[\([0-9.]*\)\].*/\1/p' "$SB_SOURCE/CHANGELOG.md" | head -n 1)" = "$version" ]
released=$(sed -n 's/^set(SB_RELEASED \([0-9-]*\)).*/\1/p' "$SB_SOURCE/CMakeLists.txt")
grep -qx "date-released: $released" "$SB_SOURCE/CITATION.cff"
grep -q "\"datePublished\": \"$released\"" "$SB_SOURCE/codemeta.json"
grep -qxF "## [$version] - $released" "$SB_SOURCE/CHANGELOG.md"
