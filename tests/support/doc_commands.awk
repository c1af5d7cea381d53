# The commands of a manual as a bash script: awk -f doc_commands.awk MANUAL.md. doc_commands.sh defines what it calls.
#
# A manual's commands stand in fenced blocks marked `sh`, or in blocks that are indented by four spaces and begin with one
# of our programs, make, or another command of the list below. One command a line; a line that ends in a backslash goes
# on in the next one, and a here-document (<<'EOF') belongs to its command.
#   - "# exit code N" at the end of a line: the command ends with N; without it, with 0.
#   - A fenced block marked `text` shows what the whole block of commands before it prints. Inside an indented block, lines
#     that begin with no command show what the commands above them print.
#   - A paragraph "*The documentation test skips this block: REASON.*" right before a block keeps it from being run, visibly to the reader.
# Other fenced blocks (yaml, csv, no mark) are neither run nor compared.

function quoted(text) { gsub(/'/, "'\\''", text); return "'" text "'" }

function is_command(text)
{
    return text ~ /^(samebits(-(data|matrix|report|f64))?|make|cmake|ctest|git|cp|mv|rm|mkdir|cd|ls|cat|echo|export|tar|apt-get|python3|PATH=[^ ]*|(build|containers|tests)\/[^ ]+)( |$)/
}

# A block of commands begins: run it, or say that it is not run and why.
function begin_block()
{
    skip = reason; reason = ""
    n_skipped = 0; shown = ""; block_line = NR
    if (!skip) print "doc_block"
}

function emit_command(    code)
{
    if (skip) { n_skipped++; command = ""; return }
    code = 0
    if (match(command, /# exit code [0-9]+[ \t]*\n$/)) { code = substr(command, RSTART + 12) + 0 }
    printf "doc_begin %d %s\n{\n%s} >\"$doc_folder/doc.out\" 2>&1 </dev/null\ndoc_end %d %d $?\n", command_line,
        quoted(command), command, command_line, code
    command = ""
}

# One line of a block of commands, without its indentation.
function add_line(text)
{
    if (command == "") {
        if (text ~ /^[ \t]*(#.*)?$/) return # an empty line or a comment of its own
        command_line = NR
    }
    command = command text "\n"
    if (heredoc != "") {
        if (text == heredoc) heredoc = ""
        if (heredoc != "") return
    } else if (match(text, /<<-?'?[A-Za-z_]+'?/)) {
        heredoc = substr(text, RSTART, RLENGTH)
        gsub(/[<'-]/, "", heredoc)
        return
    }
    if (text !~ /\\$/) emit_command()
}

function end_block()
{
    if (command != "") emit_command()
    if (skip) printf "doc_skip %d %d %s\n", block_line, n_skipped, quoted(skip)
}

function show(text) { if (shown == "") shown_line = NR; shown = shown text "\n" }

function end_shown()
{
    sub(/\n+$/, "\n", shown) # an indented block may have empty lines behind its output
    if (shown != "" && !skip) printf "doc_prints %d <<'END_OF_SHOWN'\n%sEND_OF_SHOWN\n", shown_line, shown
    shown = ""
}

BEGIN { state = "prose"; blank = 1 }

state == "fence" {
    text = substr($0, 1, indent) ~ /^ *$/ ? substr($0, indent + 1) : $0
    if (text ~ /^```/) {
        if (language == "sh") end_block()
        if (language == "text") end_shown()
        state = "prose"; blank = 1
    } else if (language == "sh")
        add_line(text)
    else if (language == "text")
        show(text)
    next
}

state == "indented" {
    if ($0 ~ /^    / || $0 ~ /^[ \t]*$/) {
        text = substr($0, 5)
        if (command != "" || is_command(text)) { end_shown(); add_line(text) }
        else if (text != "" || shown != "") show(text)
        next
    }
    end_shown(); end_block()
    state = "prose"
}

match($0, /^ *```/) {
    indent = RLENGTH - 3
    language = substr($0, RLENGTH + 1)
    sub(/[ \t].*/, "", language)
    state = "fence"
    in_list = in_list && indent
    if (language == "sh") begin_block()
    else if (language == "text") shown = ""
    next
}

blank && /^    / && is_command(substr($0, 5)) && !in_list {
    state = "indented"
    begin_block()
    add_line(substr($0, 5))
    next
}

/^\*The documentation test skips this block: .*\.\*$/ { reason = $0; gsub(/^\*The documentation test skips this block: |\.\*$/, "", reason); blank = in_list = 0; next }

/^[ \t]*$/ { blank = 1; next }

{
    # Text other than the paragraph right before a block takes its reason away.
    reason = ""
    if ($0 !~ /^ /) in_list = $0 ~ /^([-*+]|[0-9]+\.) /
    blank = 0
}

END {
    if (state == "indented") { end_shown(); end_block() }
    if (state == "fence") { printf "doc_broken %s\n", quoted("a fenced block is not closed"); }
}
