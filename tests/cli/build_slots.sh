# An operation is declared once, in ops/slots.h: with a row more the profile and the trace are made anew without a change.
# A kind of layer or a loss that lacks a member does not compile.
mkdir ops
row='OP(forgotten, forward, (sb_ops *ops, const sb_tensor *x, sb_tensor *y), (x, y), of_tensor(y), 0, row(forgotten), TENSOR(x), TENSOR(y))'
sed "s/^#define SB_SLOTS_POINT(OP) /&$row /" "$SB_SOURCE/src/ops/slots.h" >ops/slots.h
grep -q 'OP(forgotten' ops/slots.h || { echo 'FAILED: the row was not added'; exit 1; }

# compile FILE [OPTION...]: as the build does, with the changed slots.h in front
compile() {
    cc -std=c17 -Wall -Wextra -fopenmp -I . -I "$SB_SOURCE/src" "${@:2}" "$SB_SOURCE/src/$1"
}
for file in backend/profile.c inspect/trace/trace_ops.c; do
    compile "$file" -c -o wrapper.o || { echo "FAILED: $file does not compile with a new operation"; exit 1; }
    nm wrapper.o | grep -q '_forgotten$' || { echo "FAILED: $file has no wrapper of the new operation"; exit 1; }
done

# needs FILE MACRO N: the call of MACRO in FILE has N members, and without any one of them it does not compile
needs() {
    local source=$SB_SOURCE/src/$1 members member
    members=$(sed -n "/^$2(/,/);\$/p" "$source" | grep -oE '\.[a-z_]+ = ' | tr -d '. =')
    [ "$(wc -w <<<"$members")" = "$3" ] || { echo "FAILED: $1 has other members than $3:" $members; exit 1; }
    cc -std=c17 -I "$SB_SOURCE/src" -fsyntax-only "$source"
    for member in $members; do
        sed -zE "s/,[[:space:]]*\.$member = [^,)]*//" "$source" >less.c
        lacks less.c "\.$member = "
        expect 1 "requires $(($3 + 1)) arguments, but only $3 given" cc -std=c17 -I "$SB_SOURCE/src" -fsyntax-only less.c
    done
}
needs net/layers/scale.c SB_LAYER_KIND 15
needs net/losses/squared_error.c SB_LOSS_KIND 9
