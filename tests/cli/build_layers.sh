# A layer sees the headers of the layers below it and no others: from every layer the compiler refuses a header of each
# higher one and takes a header of each it stands on. SB_LAYER_PATHS: "core=DIR:DIR io=DIR ...", as the targets have it.
# SB_FLOOR_PATHS: the same of the folders of other programs, lowest first: "matrix/process=DIR matrix/schema=DIR:DIR ...".
below_core=core
below_io='core io'
below_ops='core ops'
below_backend='core ops backend'
below_net='core ops backend net'
below_rank='core rank'
below_data='core io ops backend net rank data'
below_train='core io ops backend net rank data train'
below_record='core io record'
below_inspect='core io ops backend net rank data train record inspect'
declare -A header=([core]=core/status.h [io]=io/png.h [ops]=ops/order.h [backend]=backend/backend.h [net]=net/params.h [rank]=rank/ranks.h
                   [data]=data/loader.h [train]=train/learner.h [record]=record/external.h [inspect]=inspect/diff.h [verbs]=verbs/verbs.h)

# NAME sees, by the include paths DIR:DIR, HEADER of OTHER: yes or no
try_include() { # NAME DIR:DIR OTHER HEADER WANTED
    echo "#include \"$4\"" >include.c
    # shellcheck disable=SC2046
    if cc -std=c17 -fsyntax-only $(echo "$2" | tr : '\n' | sed -n 's,.*,-I &,p') include.c 2>said; then seen=yes; else seen=no; fi
    [ $seen = "$5" ] || { echo "FAILED: $1 sees $3: $seen, wanted $5"; cat said; exit 1; }
    [ $seen = yes ] || grep -q "$4: No such file" said || { cat said; exit 1; }
    n=$((n + 1))
}

n=0
for entry in $SB_LAYER_PATHS; do
    layer=${entry%%=*} && layer=${layer%_f32}
    below=below_$layer
    for other in "${!header[@]}"; do
        case " ${!below} " in *" $other "*) wanted=yes ;; *) wanted=no ;; esac
        try_include "$layer" "${entry#*=}" "$other" "${header[$other]}" $wanted
    done
done
[ $n = 110 ] || { echo "FAILED: $n pairs of layers, wanted 10 x 11"; exit 1; }

# Each program's floors in their order: one sees itself and those before it. The header of a folder is the first that
# includes the standard's alone, or else the last.
header_of() { # PROGRAM/FOLDER
    for file in "$SB_SOURCE/$1"/*.h; do
        grep -q '#include "' "$file" || break
    done
    echo "$1/${file##*/}"
}
n=0
for entry in $SB_FLOOR_PATHS; do
    floor=${entry%%=*}
    wanted=yes
    for other in $SB_FLOOR_PATHS; do
        other=${other%%=*}
        [ "${other%/*}" = "${floor%/*}" ] || continue
        try_include "$floor" "${entry#*=}" "$other" "$(header_of "$other")" $wanted
        [ "$other" != "$floor" ] || wanted=no
    done
done
wanted=0
for program in matrix paper datasets; do
    floors=$(grep -c "^sb_floor($program " "$SB_SOURCE/$program/CMakeLists.txt")
    [ "$floors" -ge 5 ] || { echo "FAILED: $program has $floors floors"; exit 1; }
    wanted=$((wanted + floors * floors))
done
[ $n = $wanted ] || { echo "FAILED: $n pairs of floors, wanted $wanted"; exit 1; }
