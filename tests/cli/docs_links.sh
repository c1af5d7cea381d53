# Every page as HTML, as 'make docs' makes it; every relative link and anchor in it leads somewhere. And each manual with
# commands is one whose commands a test runs.
command -v cmark-gfm >/dev/null || { echo 'skipped: no cmark-gfm here'; exit 77; }
expect 0 '^[0-9]+ pages: .*/html/index.html$' "$SB_SOURCE/docs/html.sh" html

# check FILE.html...: "FILE: LINK" for each link that leads nowhere
check() {
    local file link path anchor
    for file; do
        grep -oE '(href|src)="[^"]*"' "$file" | sed 's/^[a-z]*="//; s/"$//' | grep -vE '^[a-z]+:' | sort -u |
            while read -r link; do
                path=${link%%#*} anchor=
                case $link in *'#'*) anchor=${link#*#} ;; esac
                path=$(dirname "$file")/$path
                [ -n "${link%%#*}" ] || path=$file
                if [ ! -e "$path" ] || { [ -n "$anchor" ] && ! grep -q " id=\"$anchor\"" "$path"; }; then
                    echo "$file: $link"
                fi
            done
    done
}

find html -name '*.html' | sort >pages
check $(cat pages) >dead
if [ -s dead ]; then
    echo 'FAILED: links that lead nowhere:'
    cat dead
    exit 1
fi
echo "ok: $(cat $(cat pages) | grep -oE '(href|src)="[^"]*"' | grep -vcE '"[a-z]+:') links in $(wc -l <pages) pages"

# the check can fail
mkdir bad
echo '<h1 id="a"></h1><a href="none.html">x</a><a href="#b">x</a><a href="page.html#a">x</a><img src="p.svg">' >bad/page.html
[ "$(check bad/page.html | sort | paste -sd' ')" = \
    'bad/page.html: #b bad/page.html: none.html bad/page.html: p.svg' ]

# manuals with commands are run; README.md and containers/README.md by a test of their own
for page in $(cd "$SB_SOURCE" && ls docs/*.md CONTRIBUTING.md 2>/dev/null); do
    grep -q '^ *```sh' "$SB_SOURCE/$page" || continue
    grep -qE "(^|[( ])$page([) ]|\$)" "$SB_SOURCE/tests/docs.cmake" ||
        { echo "FAILED: no test runs the commands of $page"; exit 1; }
done
