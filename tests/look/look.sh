#!/usr/bin/env bash
# look.sh FOLDER PAGE...: each page in Chromium at three widths, in both colour schemes, as it opens and unfolded: a
# screenshot in FOLDER, and what audit.js finds in it. Exit 1: text overflows or overlaps somewhere. 4: no Chromium.
set -eu
here=$(dirname "$(realpath "$0")")
folder=$1
shift
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
    { echo 'look: no chromium; apt-get install chromium' >&2; exit 4; }
mkdir -p "$folder"
folder=$(realpath "$folder")

# A copy that lets the audit run, which the page's own policy would not.
prepare() {
    sed 's|<meta http-equiv="Content-Security-Policy"[^>]*>||; s|</body>|<script>|' "$1" | sed '/<\/html>/d'
    cat "$here/audit.js"
    echo '</script></body></html>'
}

# show WIDTH,HEIGHT SCHEME URL option...: 0 is dark, 1 light
show() {
    local size=$1 scheme=$2 url=$3
    shift 3
    timeout -k 5 120 "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --force-device-scale-factor=1 \
        --blink-settings=preferredColorScheme="$scheme" --window-size="$size" "$@" "$url" 2>/dev/null
}

bad=0
for page; do
    name=$(basename "$(dirname "$page")")
    [ "$name" != report ] || name=$(basename "$(dirname "$(dirname "$page")")")
    prepare "$page" >"$folder/$name.html"
    for width in 390 800 1400; do
        for fold in '' '#unfold'; do
            cat >"$folder/frame.html" <<END
<!DOCTYPE html><body><script>
addEventListener('message', e => { document.body.appendChild(document.createElement('pre')).textContent = e.data; });
</script><iframe src="$name.html$fold" style="border:0;width:${width}px;height:900px"></iframe></body>
END
            show 1500,1000 1 "file://$folder/frame.html" --virtual-time-budget=20000 --dump-dom |
                sed -n 's/^AUDIT //p' >"$folder/found"
            height=$(sed -n 's/^height //p' "$folder/found")
            [ -n "$height" ] || { echo "look: $page: the audit did not run" >&2; exit 1; }
            sed '/^height /d' "$folder/found" >"$folder/$name-$width${fold:+-unfolded}.txt"
            while read -r line; do
                [ -n "$line" ] || continue
                echo "$name, $width pixels${fold:+, unfolded}: $line"
                bad=1
            done <"$folder/$name-$width${fold:+-unfolded}.txt"
            [ -z "$fold" ] || continue
            echo "$name, $width pixels: $height pixels long"
            for scheme in 0 1; do
                [ $scheme = 0 ] && word=dark || word=light
                show "$width,$((height < 16000 ? height : 16000))" $scheme "file://$(realpath "$page")" \
                    --screenshot="$folder/$name-$width-$word.png"
                show "$width,$((width < 500 ? 844 : 900))" $scheme "file://$(realpath "$page")" \
                    --screenshot="$folder/$name-$width-$word-first.png"
            done
        done
    done
done
rm -f "$folder/found" "$folder/frame.html"
exit $bad
