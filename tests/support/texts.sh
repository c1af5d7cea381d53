# What the tests of hostile texts share. Sourced, not run: a text that is something in every language that a program here
# writes, and what no file and no terminal may show for it.
echo 'the secret words' >secret
markup='<script>alert(1)</script><img src=x onerror=alert(2)>"'\'' onclick='\''alert(3)'\'' ]]>--><!--&lt;&'
shells='`touch pwned`$(touch pwned);touch pwned|touch pwned&&touch pwned;system("touch pwned")'
tex="\\input{$PWD/secret}\\write18{touch pwned}#\$%^&_{}~^^M"
text="=1+1 $markup $shells $tex"
yaml_text="\"$(sed 's/[\\"]/\\&/g' <<<"$text")\""
controls='\x01 \x1b[2J \x7f \xc2\x9b \xe2\x80\xae'

# nothing_ran: no command in a text was run by anybody
nothing_ran() {
    if find . -name 'pwned*' | grep -q .; then echo "FAILED: a text was run"; exit 1; fi
}

# is_quiet FILE...: no control character but line ends and tabs, nothing that turns the direction of writing round
is_quiet() {
    if LC_ALL=C grep -nPa '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xaa-\xae]' "$@" >found; then
        echo "FAILED: control characters"
        cat -v found
        exit 1
    fi
}

# is_csv FILE...: every line has the fields of the first, and quotes where it must
is_csv() {
    is_quiet "$@"
    perl -e 'for my $path (@ARGV) { local $/; open F, $path; my $n; my $s = <F>;
        while ($s =~ /\G((?:"(?:[^"]|"")*"|[^",\n]*)(?:,(?:"(?:[^"]|"")*"|[^",\n]*))*)\n/gc) {
            my $line = $1; $line =~ s/"(?:[^"]|"")*"//g; my $k = $line =~ tr/,//; $n //= $k;
            die "$path: $1\n" if $k != $n }
        die "$path: from " . pos($s) . "\n" if (pos($s) // 0) != length $s }' "$@" || { echo "FAILED: not csv"; exit 1; }
}
