# The relative difference of the losses of two recordings, and that after one rounding of each start weight (docs/gallery.md):
#
#     gnuplot -e "name='a title'; a='a.csv'; b='b.csv'; n='nudged.csv'; output='gallery.svg'" docs/examples/gallery.gp
#
# The csv files are those of 'samebits export'. Fonts, colours and axes are those of paper/figures/style.c.
set encoding utf8
set terminal svg size 640,300 dynamic font 'Helvetica,14' background '#FFFFFF' linewidth 1
set output output
set datafile separator ','
set border 3 linecolor rgb '#333333' linewidth 1
set tics nomirror out scale 0.6 textcolor rgb '#333333'
set grid ytics linecolor rgb '#DDDDDD' linewidth 0.6 dashtype 1
unset key
set logscale y
set format y '10^{%T}'
set yrange [1e-8:1e5]
set ytics 1e-8,100
set mytics 1
set xrange [0:100]
set xlabel 'update' offset 0,0.5
set ylabel 'relative difference of the loss'
set title name noenhanced
set label 1 'between the two variants' at graph 0.99, graph 0.95 right textcolor rgb '#D55E00'
set label 2 'after one rounding of each start weight' at graph 0.99, graph 0.85 right textcolor rgb '#707070'
difference(x, y) = x == y ? 1e-8 : abs(y / x - 1)
plot '<paste -d, '.a.' '.b every ::1 using 1:(difference($2, $5)) with lines linewidth 2 linecolor rgb '#D55E00', \
     '<paste -d, '.a.' '.n every ::1 using 1:(difference($2, $5)) with lines linewidth 1.5 linecolor rgb '#707070'
