# Statements of shell scripts under 'set -e' whose failure would not end the script: 'a && b', where a failure of a is
# passed over, and '! a'. Prints FILE:LINE: of each. Not meant are a condition (if, while), a list with '||', one that
# ends in a jump, an assignment or eval, as '[ "$x" ] && return', and the whole body of a function of one line, whose
# status is the caller's. Quoted text, comments, documents after << and what stands in parentheses are not read.
function judge() {
    while (gsub(/\([^()]*\)/, "", text)) ;
    if (text !~ /\|\||^ *(if|elif|while|until) |^ *[a-z_]+ *\{/ &&
        (text ~ /(^|[;)] |then |do |else ) *! / ||
         text ~ /&&/ && text !~ /&& *(return|continue|break|exit|eval|[a-z_]+\+?=)[^&]*$/))
        print FILENAME ":" FNR ": " $0
    text = ""
}
FNR == 1 { quote = document = text = "" }
document != "" { if ($0 == document) document = ""; next }
{
    for (i = 1; i <= length($0); i++) {
        c = substr($0, i, 1)
        if (c == "\\" && quote != "'") i++
        else if (quote == c) { quote = ""; text = text "quoted" }
        else if (quote != "") continue
        else if (c == "'" || c == "\"") quote = c
        else if (c == "#" && (i == 1 || substr($0, i - 1, 1) ~ /[ ;]/)) break
        else text = text c
    }
    if (quote == "" && $0 !~ /<<</ && match($0, /<<['"]?[A-Z0-9]+/)) {
        document = substr($0, RSTART + 2, RLENGTH - 2)
        gsub(/['"]/, "", document)
    }
    if (quote == "" && $0 !~ /(\\|&&|\|)$/) judge()
}
