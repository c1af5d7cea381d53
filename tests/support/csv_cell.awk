# One field of a CSV table: awk -v where='label=x,n=6' -v column=text -f csv_cell.awk TABLE
# The row is the one whose columns have those values; lines that begin with "#" are comments. Exit code 1 unless exactly
# one row matches and the column exists.
function cut(line, field,    n, c, i, quoted, text) {
    n = 1
    text = ""
    for (i = 1; i <= length(line); i++) {
        c = substr(line, i, 1)
        if (c == "\"") quoted = !quoted
        else if (c == "," && !quoted) { field[n++] = text; text = "" }
        else text = text c
    }
    field[n] = text
    return n
}
/^#/ { next }
!header { header = cut($0, name); for (i = 1; i <= header; i++) at[name[i]] = i; n_wanted = split(where, wanted, ","); next }
{
    cut($0, field)
    for (i = 1; i <= n_wanted; i++) {
        key = value = wanted[i]
        sub(/=.*/, "", key)
        sub(/^[^=]*=/, "", value)
        if (!(key in at) || field[at[key]] != value) next
    }
    found++
    if (column in at) result = field[at[column]]; else exit 1
}
END { if (found != 1 || !(column in at)) exit 1; print result }
