# watch: a study in the middle, on a terminal, in a pipe and as a page; what is no request of it; Ctrl-C.
. "$SB_SOURCE/tests/cli/matrix_setup.sh"
command -v script >/dev/null || { echo "skipped: no script, which makes a terminal"; exit 77; }

# nothing has run
expect 0 '^6 cells: 6 missing$' $matrix watch -f small.yaml --once
count 6 '^missing          p/walk/native/any/(copy|shared)/s00[123]$' expect.out

# in the middle: one complete, one failed, one that runs and waits half-way
$matrix run -f small.yaml -n copy/s001 >/dev/null 2>&1
FAKE_FAIL=shared/s001 $matrix run -f small.yaml -n shared/s001 >/dev/null 2>&1 || true
FAKE_HANG=copy/s002 $matrix run -f small.yaml -n copy/s002 >run.out 2>&1 &
runner=$!
is_half() { $matrix watch -f small.yaml --once | grep -q '^running .*copy/s002 *6/12  loss 0.12500  ......'; }
wait_for is_half
# but for the list of stamps, which every look may write
look() { find results ! -name 'stamps.ok*' | sort; }
look >before
LC_ALL=C.UTF-8 expect 0 '^running          p/walk/native/any/copy/s002    6/12  loss 0.12500  [▁▂▃▄▅▆▇█]{6}' $matrix watch -f small.yaml
also '^complete         p/walk/native/any/copy/s001    12/12$'
also '^failed           p/walk/native/any/shared/s001  exit code 1: .*invented failure$'
also '^6 cells: 1 complete, 1 running, 1 failed, 3 missing$'
count 0 $'\033' expect.out
LC_ALL=C expect 0 'copy/s002 +6/12  loss 0.12500  [-_.~=+*#]{6}' $matrix watch -f small.yaml --once -n copy
look >after
same before after # it only looks

# a terminal: drawn, redrawn, ended by Ctrl-C without a failure; few rows hold what matters
TERM=xterm script -qefc "stty cols 100 rows 5; sh -c 'echo \$\$ >pid; exec $matrix watch -f small.yaml'; echo ended \$?" typescript >/dev/null </dev/null &
terminal=$!
wait_for grep -q 'and 4 more' typescript
is_redrawn() { [ "$(grep -o 'and 4 more' typescript | wc -l)" -ge 2 ]; }
wait_for is_redrawn
grep -q $'\033\\[J' typescript
grep -q 'copy/s002 .*6/12' typescript
kill -INT "$(cat pid)"
wait $terminal
grep -q 'ended 0' typescript

# a page
command -v curl >/dev/null || { echo "skipped: no curl"; exit 77; }
expect 2 "serve wants a port in \[0, 65535\], not '70000'" $matrix watch -f small.yaml --serve 70000
$matrix watch -f small.yaml --serve 0 >address 2>serve.err &
server=$!
wait_for grep -q '^http://127.0.0.1:' address
at=$(cat address)
get() { curl -s --noproxy '*' --max-time 20 "$@"; }
get -D head "$at" >page.html
grep -q '^HTTP/1.0 200 OK' head
grep -qi "^content-security-policy: default-src 'none'" head
grep -q '<meta http-equiv="refresh" content="2">' page.html
grep -q '<td class="running">running</td><td>p/walk/native/any/copy/s002</td><td class="number">6/12<' page.html
grep -q '<polyline points="' page.html
code() { get -o /dev/null -w '%{http_code}' "$@"; }
[ "$(code "$at")" = 200 ]
[ "$(code -I "$at")" = 200 ]
[ "$(code "${at}run")" = 404 ]
[ "$(code --path-as-is "$at../../etc/passwd")" = 404 ]
[ "$(code -X POST -d x=1 "$at")" = 405 ]
[ "$(code -X DELETE "$at")" = 405 ]
[ "$(code -H 'Host: evil.example' "$at")" = 403 ]
[ "$(code -H 'Host: localhost:1' "$at")" = 200 ]
# no HTTP at all, a head without end, a zero byte, and somebody who says nothing
port=${at##*:} port=${port%/}
raw() { printf "$1" | timeout 200 bash -c "exec 3<>/dev/tcp/127.0.0.1/$port; cat >&3; cat <&3" >answer || true; }
raw 'nonsense\r\n\r\n'
grep -q '^HTTP/1.0 400 ' answer
raw "GET /$(printf 'a%.0s' $(seq 9000)) HTTP/1.0\r\n\r\n"
grep -q '^HTTP/1.0 404 ' answer
raw 'GET \0/ HTTP/1.0\r\n\r\n'
grep -q '^HTTP/1.0 400 ' answer
[ "$(code "$at")" = 200 ]
# no other address than this machine's own
grep -q "^ *[0-9]*: 0100007F:$(printf %04X "$port") " /proc/net/tcp
expect 1 "127.0.0.1:$port: .*in use; --serve 0 takes a free port" $matrix watch -f small.yaml --serve "$port"

# a name in the matrix is no markup
cp small.yaml 'a<b>&.yaml'
kill -INT $server
wait $server
$matrix watch -f 'a<b>&.yaml' --serve 0 >address 2>serve.err &
server=$!
wait_for grep -q '^http://127.0.0.1:' address
get "$(cat address)" >page.html
grep -qF '<h1>a&lt;b&gt;&amp;.yaml</h1>' page.html
got=0
kill -TERM $server
wait $server || got=$?
[ $got = 143 ]

touch go
wait $runner
expect 0 '^6 cells: 2 complete, 1 failed, 3 missing$' $matrix watch -f small.yaml
