# libsamebits exports the functions of its header and nothing else, and needs nothing but the C library.
nm -D --defined-only "$SB_LIBRARY" | awk '{ sub(/@.*/, "", $3); print $3 }' | sort >exported
sed 's,/\*.*\*/,,' "$SB_SOURCE/include/samebits.h" | grep -oE '\bsb_[a-z_]+\(' | tr -d '(' | sort -u >declared
diff declared exported || { echo "FAILED: the header declares what < says, the library exports what > says"; exit 1; }
[ "$(wc -l <exported)" -gt 25 ]
readelf -d "$SB_LIBRARY" | sed -n 's/.*NEEDED.*\[\(.*\)\].*/\1/p' | sed -E '/^(libc|libm|libpthread|libdl|ld-linux.*)\.so/d' >needed
if [ -s needed ]; then echo "FAILED: it needs $(cat needed)"; exit 1; fi

# the header alone is enough, for C11 and for C++
cat >use.c <<'END'
#include "samebits.h"
int main(void)
{
    const float x[2] = {1, 2};
    const sb_view view = {x, SB_F32, 1, (const int64_t[]){2}, 0};
    return sb_view_hash(&view).byte[0] == sb_view_canonical(&view).byte[0] && *sb_library_version() ? 0 : 1;
}
END
cc -std=c11 -Wall -Wextra -Werror -I "$SB_SOURCE/include" use.c "$SB_LIBRARY" -Wl,-rpath,"$(dirname "$SB_LIBRARY")" -o use
./use
if command -v c++ >/dev/null; then
    echo '#include "samebits.h"
int main() { return sb_message()[0]; }' >use.cc
    c++ -I "$SB_SOURCE/include" use.cc "$SB_LIBRARY" -Wl,-rpath,"$(dirname "$SB_LIBRARY")" -o usecc
    ./usecc
fi
