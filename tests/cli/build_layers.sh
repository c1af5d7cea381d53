# A layer sees the headers of the layers below it and no others: from every layer the compiler refuses a header of each
# higher one and takes a header of each it stands on. SB_LAYER_PATHS: "core=DIR:DIR io=DIR ...", as the targets have it.
# The folders of a program are floors, lowest first: SB_FLOOR_PATHS: "sb_paper_files=DIR:DIR sb_paper_statistics=DIR ..."
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

n=0
for entry in $SB_LAYER_PATHS; do
    layer=${entry%%=*} && layer=${layer%_f32}
    below=below_$layer
    roots=$(echo "${entry#*=}" | tr : '\n' | sed -n 's,.*,-I &,p')
    for other in "${!header[@]}"; do
        echo "#include \"${header[$other]}\"" >include.c
        # shellcheck disable=SC2086
        if cc -std=c17 -fsyntax-only $roots include.c 2>said; then seen=yes; else seen=no; fi
        case " ${!below} " in *" $other "*) wanted=yes ;; *) wanted=no ;; esac
        [ $seen = $wanted ] || { echo "FAILED: $layer sees $other: $seen, wanted $wanted"; cat said; exit 1; }
        [ $seen = yes ] || grep -q "${header[$other]}: No such file" said || { cat said; exit 1; }
        n=$((n + 1))
    done
done
[ $n = 110 ] || { echo "FAILED: $n pairs of layers, wanted 10 x 11"; exit 1; }

n=0
for entry in $SB_FLOOR_PATHS; do
    floor=${entry%%=*} program=${floor#sb_} program=${program%%_*} above=
    roots=$(echo "${entry#*=}" | tr : '\n' | sed -n 's,.*,-I &,p')
    for other in $SB_FLOOR_PATHS; do
        case $other in sb_"$program"_*) ;; *) continue ;; esac
        folder=$program/${other%%=*}
        folder=${folder/sb_${program}_/}
        header=$(cd "$SB_SOURCE" && find "$folder" -name '*.h' | sort | head -n 1)
        echo "#include \"$header\"" >include.c
        # shellcheck disable=SC2086
        if [ $above ]; then
            if cc -std=c17 -fsyntax-only $roots include.c 2>said; then echo "FAILED: $floor sees $header"; exit 1; fi
            grep -q " $header: No such file" said || { cat said; exit 1; }
            n=$((n + 1))
        elif [ "$other" = "$entry" ]; then # those below it are what the build itself takes
            cc -std=c17 -E $roots include.c >/dev/null
            above=yes
        fi
    done
done
[ $n = 91 ] || { echo "FAILED: $n pairs of floors, wanted 13 x 14 / 2"; exit 1; }
