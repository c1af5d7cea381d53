# The Spack recipe names every library that the build asks for, and is Python where Python is here. Spack itself is not run.
recipe=$SB_SOURCE/cmake/spack/package.py
cd "$SB_SOURCE"
{
    sed -n 's/^archive([A-Z0-9_]* \([a-z0-9]*\).*/\1/p' cmake/libraries.cmake
    cat cmake/*.cmake ./*/CMakeLists.txt | sed -n 's/^ *pkg_\(check\|search\)_modules\?(\([^)]*\)).*/\2/p' | tr ' ' '\n' | grep '^[a-z]'
    cat cmake/*.cmake | sed -n 's/^ *find_package(\([A-Za-z]*\).*/\1/p' | grep -vx PkgConfig
} | sort -u >"$OLDPWD/names"
cd "$OLDPWD"
[ "$(wc -l <names)" -gt 15 ]
while read -r name; do
    grep -q "depends_on(.*# \(.* \)\?$name\( .*\)\?$" "$recipe" || { echo "FAILED: the recipe lacks $name"; exit 1; }
done <names
if command -v python3 >/dev/null; then
    cp "$recipe" .; python3 -m py_compile package.py
fi
