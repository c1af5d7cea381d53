# doc_match.awk SHOWN PRINTED: exit code 0 if the printed lines are the shown ones. "..." stands for any text inside a line;
# a line of nothing else stands for any number of lines.

# Does the line match the pattern?
function line_matches(pattern, line,    n, piece, i, at)
{
    sub(/[ \t]+$/, "", pattern)
    sub(/[ \t]+$/, "", line)
    n = split(pattern, piece, /\.\.\./)
    if (n <= 1) return pattern == line
    if (substr(line, 1, length(piece[1])) != piece[1]) return 0
    line = substr(line, length(piece[1]) + 1)
    for (i = 2; i < n; i++) {
        at = index(line, piece[i])
        if (!at) return 0
        line = substr(line, at + length(piece[i]))
    }
    return length(line) >= length(piece[n]) && substr(line, length(line) - length(piece[n]) + 1) == piece[n]
}

# Do the printed lines from j on match the shown ones from i on?
function lines_match(i, j)
{
    for (; i <= n_shown; i++) {
        if (shown[i] ~ /^[ \t]*\.\.\.[ \t]*$/) {
            for (; j <= n_printed + 1; j++) if (lines_match(i + 1, j)) return 1
            return 0
        }
        if (j > n_printed || !line_matches(shown[i], printed[j])) return 0
        j++
    }
    return j == n_printed + 1
}

FILENAME == ARGV[1] { shown[++n_shown] = $0; next }
{ printed[++n_printed] = $0 }
END { exit !lines_match(1, 1) }
