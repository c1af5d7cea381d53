# The commands of a README, one a line as "LINE COMMAND": awk -f readme_commands.awk README.md
#
# A command is a line of an indented block that begins with a program (what it prints stands below it and does not), with
# the lines that a backslash continues, or a `span` of code in the text that begins so and has a word behind it. Comments
# behind two blanks and a # belong to the reader.

function is_command(text)
{
    return text ~ /^([A-Z_]+=[^ ]+ )*(samebits(-(data|matrix|report|f64))?|python -m samebits|make|cmake|git|tar|apt-get|podman|docker|(build|containers|tests)\/[^ ]*) +[^ ]/ ||
        text ~ /^(build|containers|tests)\/[^ ]+\.sh$/ || text == "make"
}

function emit(line, text)
{
    sub(/  +# .*$/, "", text)
    gsub(/[ \t]+/, " ", text)
    sub(/ $/, "", text)
    if (is_command(text)) print line, text
}

# The spans of a paragraph, which may break over lines.
function end_paragraph(    rest, span)
{
    rest = paragraph
    while (match(rest, /`[^`]+`/)) {
        span = substr(rest, RSTART + 1, RLENGTH - 2)
        rest = substr(rest, RSTART + RLENGTH)
        emit(paragraph_line, span)
    }
    paragraph = ""
}

/^    [^ ]/ && (blank || indented) {
    end_paragraph()
    text = substr($0, 5)
    if (continued != "") text = continued " " text
    else command_line = NR
    continued = ""
    if (text ~ /\\$/) { sub(/ *\\$/, "", text); continued = text }
    else emit(command_line, text)
    indented = 1; blank = 0
    next
}

# The line behind a backslash may stand deeper.
continued != "" && /^ / { text = $0; sub(/^ +/, "", text); emit(command_line, continued " " text); continued = ""; next }

/^[ \t]*$/ { end_paragraph(); blank = 1; continued = ""; next }

{
    indented = 0; blank = 0
    if (paragraph == "") paragraph_line = NR
    paragraph = paragraph " " $0
}

END { end_paragraph() }
