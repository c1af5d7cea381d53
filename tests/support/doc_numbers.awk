# The marked numbers of a Markdown file, one a line: LINE, the words of its marker, a tab, and what follows the marker.
# A marker is a comment that begins with "=": <!--= results/natural LABEL text -->1.83 [1.32, 4.55]
{
    rest = $0
    while (match(rest, /<!--= [^>]* -->/)) {
        words = substr(rest, RSTART + 6, RLENGTH - 10)
        rest = substr(rest, RSTART + RLENGTH)
        printf "%d %s\t%s\n", FNR, words, substr(rest, 1, 90)
    }
}
