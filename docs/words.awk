# Counts of one Markdown file or help text: words, sentences, sentences of more than 25 words, words that mark trouble, and
# numbers without a marker. With -v list=1 each long sentence, trouble word and unmarked number is a line "KIND LINE TEXT".
#
# A sentence ends at a full stop, a question mark, an empty line, a heading, an item of a list or a cell of a table. Code in
# backquotes is one word; blocks of code count nothing. An unmarked number has a decimal point or is a percentage, follows no
# marker (tests/cli/docs_numbers.sh), and is no version of a program.
BEGIN {
    trouble = "(^|[^a-z])(behind|beside|so many|so much|stands? in|that of|those of|held against|nobody|somebody|likewise|whoever|apart|what comes)([^a-z]|$)"
    program = "(PyTorch|Chainer|CUDA|cuDNN|cuBLAS|HDF5|OpenBLAS|NCCL|NumPy|SciPy|Python|gcc|clang|glibc|Debian|Ubuntu|Linux|schema|Apache-|arXiv|GNU|IEEE|YAML|MPI|libav|ffmpeg|version|versions|release|of|to|and)"
}
function say(kind, text) { if (list) printf "%s %d %s\n", kind, NR, text }
function end_sentence(    n, word) {
    n = split(sentence, word, " ")
    words += n
    if (n) sentences++
    if (n > 25) { long++; say("long", sentence) }
    sentence = ""
}
function add(text,    rest) {
    gsub(/\[|\]\([^)]*\)|[*_>#]/, " ", text)
    while (match(text, /[.?!;](["')]*)( |$)/)) {
        rest = substr(text, RSTART + RLENGTH)
        sentence = sentence " " substr(text, 1, RSTART)
        if (substr(text, RSTART, 1) != ";") end_sentence()
        text = rest
    }
    sentence = sentence " " text
}
function numbers(text,    number, before) {
    gsub(/<!--= [^>]* -->[^ |]*(, [0-9.]+)*( \[[^]]*\]| \([^)]*\))?( (to|and) [0-9.]+)?/, " ", text)
    gsub(/`[^`]*`|\]\([^)]*\)|https?:[^ ]*/, " ", text)
    while (match(text, /[0-9]+\.[0-9]+|[0-9]+ %/)) {
        number = substr(text, RSTART, RLENGTH)
        before = substr(text, 1, RSTART - 1)
        text = substr(text, RSTART + RLENGTH)
        if (before ~ (program " ?$") && before !~ /(^| )(of|to|and) $/) { sub(/^(\.[0-9]+)+/, "", text); continue }
        if (text ~ /^\.[0-9]/) { sub(/^(\.[0-9]+)+/, "", text); continue } # a version
        unmarked++
        say("number", number)
    }
}
/^ *```/ { fenced = !fenced; end_sentence(); next }
fenced { next }
/^    / && !plain { end_sentence(); next }
{
    line = $0
    numbers(line)
    gsub(/<!--[^>]*-->/, "", line)
    gsub(/`[^`]*`/, "code", line)
    low = tolower(line)
    while (match(low, trouble)) {
        bad++
        say("trouble", substr(low, RSTART, RLENGTH))
        low = substr(low, RSTART + RLENGTH - 1)
    }
    if (line ~ /^ *$/ || line ~ /^#/ || line ~ /^ *([-*]|[0-9]+\.) / || (plain && line ~ /^  |:$|^(usage|exit codes?|example)/)) end_sentence()
    if (line ~ /^\|/) {
        n = split(line, cell, "|")
        for (i = 1; i <= n; i++) { add(cell[i]); end_sentence() }
        next
    }
    add(line)
    if (line ~ /^#/ || (plain && line ~ /^  |:$|^(usage|exit codes?|example)/)) end_sentence()
}
END {
    end_sentence()
    if (!list) printf "%d %d %d %d %d\n", words, sentences, long, bad, unmarked
}
