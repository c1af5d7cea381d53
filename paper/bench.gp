# The figure of 'samebits bench': the rate of each case divided by the rate of OpenBLAS's matrix product.
#
#     gnuplot -e "csv='bench.csv'; output='bench.svg'" paper/bench.gp
#
# Fonts, colours and axes are those of paper/figures/style.c. What the csv does not hold leaves its panel empty.
if (!exists('csv')) csv = 'bench.csv'
if (!exists('output')) output = 'bench.svg'

set encoding utf8
set terminal svg size 920,390 dynamic font 'Helvetica,14' background '#FFFFFF' noenhanced linewidth 1
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

# The line at 1 is the matrix product itself.
set ytics scale 0
set grid noytics xtics
set xrange [0:*]
set lmargin at screen 0.31
set rmargin at screen 0.62
set tmargin at screen 0.88
set bmargin at screen 0.16
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

unset multiplot
