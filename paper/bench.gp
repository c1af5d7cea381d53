# The figure of 'samebits bench': each case beside OpenBLAS's matrix product, and how time grows.
#
#     gnuplot -e "csv='bench.csv'; output='bench.svg'" paper/bench.gp
#
# Fonts, colours and axes are those of paper/figures/style.c. What the csv does not hold leaves its panel empty.
if (!exists('csv')) csv = 'bench.csv'
if (!exists('output')) output = 'bench.svg'

set encoding utf8
set terminal svg size 920,760 dynamic font 'Helvetica,14' background '#FFFFFF' noenhanced linewidth 1
set output output
set border 3 linecolor rgb '#333333' linewidth 1
set tics nomirror out scale 0.6 textcolor rgb '#333333'
set grid linecolor rgb '#DDDDDD' linewidth 0.6 dashtype 1
set style fill solid 0.75 noborder
set bars 0.5
unset key

# Rows of the csv (its columns are named in its first line without a #):
# 1 study 2 backend 3 arithmetic 4 variant 5 threads 6 width 7 height 8 channels 9 samples 12 measure 15 median 16 min 17 max
rows(study, measure, print) = "< awk -F, '$1 == \"".study."\" && $12 == \"".measure."\" { n++; print ".print." }' '".csv."'"
COLOUR = '($3 == "winograd" ? "0x0072B2" : $2 == "native" ? "0xD55E00" : "0x707070")'
LABEL = '"\"" $2 ($3 == "" ? "" : " ") $3 " " $4 ", " $5 ($5 == 1 ? " thread" : " threads") "\""'
bars(study) = rows(study, 'rate_to_gemm', 'n, $15, $16, $17, '.COLOUR.', '.LABEL)
count(study, measure) = int(system(sprintf("awk -F, '$1 == \"%s\" && $12 == \"%s\"' '%s' | wc -l", study, measure, csv)))

set multiplot

# Above: bars; the line at 1 is the matrix product itself.
set ytics scale 0
set grid noytics xtics
set xrange [0:*]
set lmargin at screen 0.31
set rmargin at screen 0.62
set tmargin at screen 0.93
set bmargin at screen 0.56
set arrow 1 from first 1, graph 0 to first 1, graph 1 nohead front linecolor rgb '#333333' dashtype 3
set xlabel 'rate / OpenBLAS matrix product' offset 0,0.5
set title 'Training'
n = count('prednet', 'rate_to_gemm')
set yrange [n + 0.5:0.5]
if (n) plot bars('prednet') using ($2/2):1:($2/2):(0.36):5:ytic(6) with boxxyerror linecolor rgb variable, \
    bars('prednet') using 2:1:3:4 with xerrorbars linecolor rgb '#000000' pointtype 0
set lmargin at screen 0.67
set rmargin at screen 0.98
set title 'Prediction'
set format y ''
n = count('inference', 'rate_to_gemm')
set yrange [n + 0.5:0.5]
if (n) plot bars('inference') using ($2/2):1:($2/2):(0.36):5 with boxxyerror linecolor rgb variable, \
    bars('inference') using 2:1:3:4 with xerrorbars linecolor rgb '#000000' pointtype 0

# Below: growth, time for the same work.
unset arrow 1
unset format
set ytics scale 0.6
set grid ytics xtics
set xrange [*:*]
set yrange [0:*] noreverse
set autoscale xfix
set offsets graph 0.06, graph 0.06, 0, 0
set tmargin at screen 0.40
set bmargin at screen 0.09
set logscale x
growth(study, x) = rows(study, 'rate', x.', 1000/$15, 1000/$17, 1000/$16')
set style line 1 linecolor rgb '#0072B2' linewidth 2 pointtype 7 pointsize 0.6

set lmargin at screen 0.08
set rmargin at screen 0.35
set ylabel 'ms for one GFLOP' offset 1.2,0
set title 'Time over frame size'
set xlabel 'pixels' offset 0,0.5
set xtics (100, 500, 2000, 5000, 10000, 20000, 50000, 100000, 200000, 500000) format '%.0s%c'
if (count('growth-size', 'rate')) plot growth('growth-size', '$6*$7') using 1:2:3:4 with yerrorbars linestyle 1, \
    growth('growth-size', '$6*$7') using 1:2 with lines linestyle 1
unset ylabel
set xtics auto format '%g'
set lmargin at screen 0.40
set rmargin at screen 0.665
set title 'over channels'
set xlabel 'channels of the highest layer' offset 0,0.5
if (count('growth-channels', 'rate')) plot growth('growth-channels', 'c[split($8, c, " ")]') using 1:2:3:4:xtic(1) with yerrorbars linestyle 1, \
    growth('growth-channels', 'c[split($8, c, " ")]') using 1:2 with lines linestyle 1
set lmargin at screen 0.715
set rmargin at screen 0.98
set title 'over window'
set xlabel 'frames of a window' offset 0,0.5
if (count('growth-window', 'rate')) plot growth('growth-window', '$9') using 1:2:3:4:xtic(1) with yerrorbars linestyle 1, \
    growth('growth-window', '$9') using 1:2 with lines linestyle 1
unset multiplot
