# A number of CSV tables: awk -v root=FOLDER -v words='LIST COLUMN-FORMAT...' -f table_number.awk
#   LIST FORMAT                    the one value
#   LIST AGGREGATE FORMAT          all values as one number; "each" prints them in their order with commas
#   LIST / LIST AGGREGATE FORMAT   the same of their ratios, value by value; with "-" of their differences
# LIST is FILE CONDITIONS COLUMN: a column of the rows that meet all conditions. COLUMN may be A+B*COLUMN. COLUMN@KEY is its
# mean for each value of a numeric KEY, in the order of these values. A FORMAT with %% is for percentages.
# CONDITIONS are KEY=VALUE with commas between them; VALUE may be FIRST..LAST, and "_" in it stands for a space. A KEY such as
# hash.study is a column of cells.csv in the same folder, in the row whose hash is the value of "hash" here; "row" counts the
# rows. A FILE.txt has lines of NAME VALUE NAME VALUE instead.
# Exit code 1 where a file, a column or a row is missing.
function cut(line, field,    n, c, i, quoted, text) {
    if (by_words) return split(line, field, " ")
    if (line !~ /"/) return split(line, field, ",")
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
function give_up(why) { print "table_number.awk: " why > "/dev/stderr"; failed = 1; exit 1 }
# The columns of a table by name; the line that names them is the first that is no comment.
function open_table(path, at,    line, name, n, i) {
    while ((i = getline line < path) > 0 && line ~ /^#/) ;
    if (i <= 0) give_up("no table " path)
    by_words = path ~ /\.txt$/
    n = cut(line, name)
    for (i = 1; i <= n; i += 1 + by_words) at[name[i]] = i + by_words
    if (by_words) close(path) # its first line has values, too
    at["row"] = n + 1
}
# cell[HASH, COLUMN] of the cells.csv next to a table
function read_cells(path,    line, field, at, name) {
    sub(/[^\/]*$/, "cells.csv", path)
    open_table(path, at)
    while ((getline line < path) > 0) {
        cut(line, field)
        for (name in at) cell[field[at["hash"]], name] = field[at[name]]
    }
    close(path)
}
# The field of a row that a key names: field_of["hash"] or, with a dot, the cell's
function key_value(key, field, at,    column) {
    column = substr(key, index(key, ".") + 1)
    sub(/\..*/, "", key)
    return key == column ? field[at[key]] : cell[field[at[key]], column]
}
function check_key(key, at, path,    column) {
    column = key
    sub(/\..*/, "", column)
    if (!(column in at)) give_up(path " has no column " column)
    if (column != key) read_cells(path)
}
# The means of x[1..n] by the numbers group[1..n], in x; gives their number
function group_means(x, group, n,    i, j, sum, size, order, n_groups, t) {
    for (i = 1; i <= n; i++) {
        if (!((group[i] + 0) in size)) order[++n_groups] = group[i] + 0
        size[group[i] + 0]++
        sum[group[i] + 0] += x[i]
    }
    for (i = 1; i <= n_groups; i++) for (j = i + 1; j <= n_groups; j++) if (order[j] < order[i]) { t = order[i]; order[i] = order[j]; order[j] = t }
    for (i = 1; i <= n_groups; i++) x[i] = sum[order[i]] / size[order[i]]
    return n_groups
}
function meets(value, wanted,    range) {
    if (value == wanted) return 1
    gsub(/_/, " ", wanted)
    if (split(wanted, range, /\.\./) == 2) return value + 0 >= range[1] + 0 && value + 0 <= range[2] + 0
    return value == wanted
}
# A+B*COLUMN: sets offset and factor, gives COLUMN
function linear_column(text,    at) {
    offset = 0
    factor = 1
    if (!(at = index(text, "*"))) { is_linear = 0; return text }
    is_linear = 1
    factor = substr(text, 1, at - 1)
    if (match(factor, /[0-9][-+]/)) { offset = substr(factor, 1, RSTART); factor = substr(factor, RSTART + 1) }
    return substr(text, at + 1)
}
# value[1..n] of FILE CONDITIONS COLUMN
function read_list(file, conditions, column, value,    path, at, line, field, n, k, i, row, key, wanted, by, group) {
    path = root "/" file
    open_table(path, at)
    k = split(conditions, key, ",")
    for (i = 1; i <= k; i++) {
        wanted[i] = substr(key[i], index(key[i], "=") + 1)
        sub(/=.*/, "", key[i])
        check_key(key[i], at, path)
    }
    if (split(column, by, "@") == 2) check_key(by[2], at, path)
    column = linear_column(by[1])
    check_key(column, at, path)
    while ((getline line < path) > 0) {
        cut(line, field)
        field[at["row"]] = ++row
        for (i = 1; i <= k; i++) if (!meets(key_value(key[i], field, at), wanted[i])) break
        if (i <= k) continue
        value[++n] = is_linear ? offset + factor * field[at[column]] : field[at[column]]
        if (2 in by) group[n] = key_value(by[2], field, at)
    }
    close(path)
    if (!n) give_up(file " has no row " conditions)
    return 2 in by ? group_means(value, group, n) : n
}
# The number as text
function shown(number) {
    if (format !~ /%%/) return sprintf(format, number)
    number = sprintf(format, 100 * number)
    gsub(/_/, " ", number)
    return number
}
function aggregate(how, x, n,    i, j, t, sum) {
    if (how == "each") {
        for (i = 1; i <= n; i++) sum = sum (i > 1 ? ", " : "") shown(x[i])
        return sum
    }
    if (how == "n") return shown(n)
    if (how == "beyond") { # the first of ratios that is further than a thousandth from 1
        for (i = 1; i <= n; i++) if (x[i] > 1.001 || x[i] < 0.999) return shown(i)
        give_up("no value differs by more than a thousandth")
    }
    if (how == "farthest") for (i = 1; i <= n; i++) { t = x[i] > 1 ? x[i] - 1 : 1 - x[i]; if (t > sum) sum = t }
    else if (how == "mean" || how == "sum") for (i = 1; i <= n; i++) sum += x[i] / (how == "mean" ? n : 1)
    else if (how == "geomean") { for (i = 1; i <= n; i++) sum += log(x[i]) / n; sum = exp(sum) }
    else if (how == "sd") { for (i = 1; i <= n; i++) { t += x[i] / n }; for (i = 1; i <= n; i++) sum += (x[i] - t) ^ 2 / (n - 1); sum = sqrt(sum) }
    else if (how == "min" || how == "max" || how == "median") {
        for (i = 1; i <= n; i++) for (j = i + 1; j <= n; j++) if (x[j] + 0 < x[i] + 0) { t = x[j]; x[j] = x[i]; x[i] = t }
        sum = how == "min" ? x[1] : how == "max" ? x[n] : (x[int((n + 1) / 2)] + x[int(n / 2) + 1]) / 2
    } else if (how == "" && n == 1) return shown(x[1])
    else give_up(how == "" ? n " rows" : "no aggregate " how)
    return shown(sum)
}
BEGIN {
    n_words = split(words, word, " ")
    format = word[n_words]
    n = read_list(word[1], word[2], word[3], x)
    next_word = 4
    if (word[4] == "/" || word[4] == "-") {
        if (read_list(word[5], word[6], word[7], y) != n) give_up("lists of different lengths")
        for (i = 1; i <= n; i++) x[i] = word[4] == "/" ? x[i] / y[i] : x[i] - y[i]
        next_word = 8
    }
    if (n_words > next_word + 1 || n_words < next_word) give_up("too many or too few words: " words)
    text = aggregate(n_words > next_word ? word[next_word] : "", x, n)
    if (format ~ /e$/) sub(/e-0/, "e-", text)
    print text
    exit
}
END { exit failed }
