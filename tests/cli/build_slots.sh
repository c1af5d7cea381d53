# An operation is declared once, in ops/slots.h: with a row more the profile and the trace are made anew without a change.
# A kind of layer that lacks a member does not compile.
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

for member in name has_tensors takes_activation read shape traits traits_of plan plan_backward lay_out forward backward products describe; do
    sed -zE "s/,[[:space:]]*\.$member = [^,)]*//" "$SB_SOURCE/src/net/layers/scale.c" >scale.c
    lacks scale.c "\.$member = "
    expect 1 'requires 1[0-9] arguments, but only 1[0-9] given' cc -std=c17 -I "$SB_SOURCE/src" -fsyntax-only scale.c
done
