#!/usr/bin/env bash
# html.sh DIR: all pages (*.md) of the source as HTML below DIR, in the same folders, with the files that they link to.
# DIR/index.html leads to docs/README.html. Links between pages become links between the HTML files; headings get the
# anchors that GitHub gives them. Needs cmark-gfm, the converter behind GitHub's own pages.
set -eu
source=$(realpath "$(dirname "$0")/..")
mkdir -p "$1"
out=$(realpath "$1")
command -v cmark-gfm >/dev/null || { echo "docs: needs cmark-gfm; containers/install.sh docs" >&2; exit 4; }
cd "$source"

# pages: every page of the source; what was built, fetched or computed has none
pages() {
    find . \( -path ./build -o -path ./cache -o -path './results/*/*' -o -name '.?*' \) -prune -o -name '*.md' -print |
        sed 's,^\./,,' | sort
    find results/*/README.md results/*/*/README.md
}

# The body of a page that cmark-gfm made, as a whole document.
document() {
    awk -v css="$source/docs/style.css" -v top="$1" '
        function plain(text) {
            gsub(/<[^>]*>/, "", text)
            gsub(/&lt;/, "<", text); gsub(/&gt;/, ">", text); gsub(/&quot;/, "\"", text); gsub(/&amp;/, "\\&", text)
            return text
        }
        function anchor(text) {
            text = tolower(plain(text))
            gsub(/[^a-z0-9 _-]/, "", text)
            gsub(/ /, "-", text)
            return text (used[text]++ ? "-" used[text] - 1 : "")
        }
        # Relative links to pages: their HTML. README.md is looked for in a folder by links().
        function relink(line,    done, link) {
            while (match(line, /(href|src)="[^"]*"/)) {
                link = substr(line, RSTART, RLENGTH)
                if (link !~ /"[a-z]+:/) sub(/\.md("|#)/, ".html&", link) && sub(/\.html\.md/, ".html", link)
                done = done substr(line, 1, RSTART - 1) link
                line = substr(line, RSTART + RLENGTH)
            }
            return done line
        }
        /^<h[1-6]>/ {
            level = substr($0, 3, 1)
            if (title == "") title = plain($0)
            $0 = "<h" level " id=\"" anchor($0) "\">" substr($0, 5)
        }
        { body = body relink($0) "\n" }
        END {
            print "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">"
            print "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
            gsub(/&/, "\\&amp;", title); gsub(/</, "\\&lt;", title)
            print "<title>" title " - samebits</title>\n<style>"
            while ((getline line < css) > 0) print line
            print "</style>\n</head>\n<body>"
            print "<nav><a href=\"" top "docs/README.html\">manuals</a> <a href=\"" top "README.html\">samebits</a></nav>"
            printf "<main>\n%s</main>\n</body>\n</html>\n", body
        }'
}

# links PAGE.md: the relative targets in it, without anchors, one a line, as paths from the root
links() {
    local folder=$(dirname "$1") target
    cmark-gfm -e table -e autolink "$1" | grep -oE '(href|src)="[^"#]+' | sed 's/^[a-z]*="//' | grep -vE '^[a-z]+:' |
        sort -u | while read -r target; do realpath -ms --relative-to=. "$folder/$target"; done
}

for page in $(pages); do
    folder=$(dirname "$page")
    top=$([ "$folder" = . ] || sed 's,[^/]*,..,g' <<<"$folder/" | sed 's,\.\.$,,')
    mkdir -p "$out/$folder"
    cmark-gfm -e table -e autolink "$page" | document "$top" >"$out/${page%.md}.html"
    links "$page" | while read -r target; do
        case $target in *.md | ..*) continue ;; esac
        [ -e "$target" ] || continue # the test of links says so
        mkdir -p "$out/$(dirname "$target")"
        cp -RLu --no-preserve=mode "$target" "$out/$(dirname "$target")/"
    done
done
echo '<!DOCTYPE html><meta http-equiv="refresh" content="0; url=docs/README.html"><a href="docs/README.html">manuals</a>' \
    >"$out/index.html"
echo "$(pages | wc -l) pages: $out/index.html"

# Numbers of README, manuals and results that no marker compares with a table
docs/words.sh --list README.md docs/*.md results/*/README.md results/*/*/README.md | grep ': number: ' >"$out/unmarked.txt" || true
echo "$(wc -l <"$out/unmarked.txt") numbers without a marker: $out/unmarked.txt"
