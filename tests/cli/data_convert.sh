# Videos and images into a data set, and what is said when they are not right.
make_clip clip.avi 30 96x64 mpeg4
make_clip short.avi 5 96x64
expect 0 'clip.h5: 30 frames of 48x32' samebits-data convert video clip.avi --size 48x32 -o clip.h5
expect 0 'clip.h5: clip, 30 frames of 48x32, 1 sequence, digest' samebits-data verify clip.h5

# options: first frame left out, a limit, starts as given, crop, scalers, threads
expect 0 'a.h5: 29 frames' samebits-data convert video clip.avi --size 48x32 --drop-first -o a.h5
expect 0 'a.h5: 7 frames' samebits-data convert video clip.avi --size 48x32 --frames 7 -o a.h5
expect 0 '' samebits-data convert video clip.avi --size 48x32 --sequence-starts 0,10,20 -o a.h5
expect 0 '30 frames of 48x32, 3 sequences' samebits-data verify a.h5
for scaler in area bicubic; do
    expect 0 '' samebits-data convert video clip.avi --size 48x32 --scaler $scaler -o $scaler.h5
    if samebits-data verify clip.h5 $scaler.h5 | sed 's/.*digest //' | uniq -d | grep .; then
        echo "FAILED: --scaler $scaler changes nothing"; exit 1
    fi
done
expect 0 '' samebits-data convert video clip.avi --size 48x32 --threads 3 --name clip -o threads.h5
same clip.h5 threads.h5

# frames that lose their shape are a sentence with both shapes, once for files of one size; a crop of that shape is silent
squeezed='frames of 96x64 \(3:2\) are squeezed into 40x30 \(4:3\); with --crop 4:3 they keep their shape'
expect 0 "^clip.avi: $squeezed$" samebits-data convert video clip.avi short.avi --size 40x30 -o a.h5
[ "$(grep -c squeezed expect.out)" = 1 ]
expect 0 '^clip.avi: frames cut to 1:1 are squeezed into 40x30 \(4:3\)' \
    samebits-data convert video clip.avi --size 40x30 --crop 1:1 -o a.h5
for options in '--size 48x32' '--size 40x30 --crop 4:3' '--size 40x30 --crop 8:6'; do
    expect 0 'a.h5: 30 frames' samebits-data convert video clip.avi $options -o a.h5
    ! grep squeezed expect.out || { echo "FAILED: $options keeps the shape"; exit 1; }
done

# a video that its camera wants turned is taken as it is stored, and that is said
make_clip upright.mp4 5 96x64 mpeg4 90
expect 0 '^upright.mp4: players turn it by 90 degrees; here its frames are taken as they are stored$' \
    samebits-data convert video upright.mp4 --size 48x32 -o a.h5

# other orders: held against the same sources given in that order by hand
digest() { samebits-data verify "$@" | sed 's/.*digest //'; }
equal() { # A B: two data sets of one content, and it is none of the others'
    [ "$(digest "$1")" = "$(digest "$2")" ] || { echo "FAILED: $1 is not $2"; exit 1; }
}
mkdir forward backward still
for i in 1 2 3; do
    make_clip forward/frame$i.jpg 1 $((64 + 32 * i))x64 mjpeg
    cp forward/frame$i.jpg backward/frame$((4 - i)).jpg
    cp forward/frame1.jpg still/frame$i.jpg
done
arranged() { # FILE INPUT... OPTION...
    local file=$1
    shift
    expect 0 "$file: [0-9]+ frames of 48x32" samebits-data convert video "$@" --size 48x32 -o "$file"
    absent "$file.frames.part"
}
for way in forward backward still; do arranged $way.h5 $way; done
[ "$(digest forward.h5 backward.h5 still.h5 | sort -u | wc -l)" = 3 ]
arranged a.h5 forward --reverse
equal a.h5 backward.h5
arranged a.h5 forward --still
equal a.h5 still.h5
arranged a.h5 forward clip.avi --order 2,1
arranged b.h5 clip.avi forward
equal a.h5 b.h5
arranged a.h5 clip.avi forward --order 2,1 --reverse
arranged c.h5 clip.avi --reverse
[ "$(digest c.h5)" != "$(digest clip.h5)" ]
expect 0 '33 frames of 48x32, 2 sequences' samebits-data verify a.h5
arranged a.h5 clip.avi forward --order 2
equal a.h5 forward.h5
arranged a.h5 clip.avi --sequence-starts 0,12 --order 1,2
arranged b.h5 clip.avi --sequence-starts 0,12
equal a.h5 b.h5
arranged a.h5 clip.avi --sequence-starts 0,12 --order 2,1
expect 0 '30 frames of 48x32, 2 sequences' samebits-data verify a.h5
arranged b.h5 clip.avi --sequence-starts 0,12 --order 1
arranged c.h5 clip.avi --frames 12
equal b.h5 c.h5
arranged a.h5 forward --order 1 --reverse
tr -d '\n\0' <a.h5 | grep -aq -- '--order 1 --reverse' || { echo 'FAILED: the order is not in the file'; exit 1; }

# several files are several sequences; a folder is read by its numbers, and what is no picture is ignored
expect 0 'two.h5: 35 frames' samebits-data convert video clip.avi short.avi --size 48x32 -o two.h5
expect 0 '35 frames of 48x32, 2 sequences' samebits-data verify two.h5
mkdir frames
for i in 1 2 10; do make_clip frames/frame$i.jpg 1 96x64 mjpeg; done
echo text >frames/README.txt
expect 0 '^frames: ignored 1 file, by name neither video nor image: README.txt' samebits-data convert video frames --size 48x32 -o frames.h5
expect 0 '3 frames of 48x32, 1 sequence,' samebits-data verify frames.h5
tr -d '\n\0' <frames.h5 | grep -aq 'frame1\.jpg.*frame2\.jpg.*frame10\.jpg' ||
    { echo 'FAILED: order of frames'; exit 1; }

# ---- names ----

levels() { # LEVEL...: pictures of 16x16 of these gray levels, 0.pgm, 1.pgm, ... in this folder
    local i=0
    for level; do { printf 'P5 16 16 255\n'; head -c 256 /dev/zero | tr '\0' "\\$(printf %o $level)"; } >$((i++)).pgm; done
}
pictures() { samebits-data convert video "$@" --size 16x16 -o p.h5; }

# in the order of the whole numbers, also where zeros come before a counter that is not padded
mkdir zeros ordered
(cd ordered && levels 0 20 40 60 80 100 120 140 160 180 200 220 240)
for i in 0 1 2 3 4 5 6 7 8 9 10 11 12; do cp ordered/$i.pgm zeros/0000$i.pgm; done
pictures ordered 2>said
lacks said 'order open'
expect 0 '^p.h5: 13 frames' pictures zeros
lacks expect.out 'order open'
digest p.h5 >sorted
pictures ordered/[0-9].pgm ordered/1[0-2].pgm
[ "$(digest p.h5)" = "$(cat sorted)" ] || { echo 'FAILED: order of names with zeros'; exit 1; }
doubt() { # PATTERN NAME NAME: a folder of two such pictures gets this line
    rm -rf two; mkdir two; cp ordered/1.pgm "two/$2"; cp ordered/2.pgm "two/$3"
    expect 0 "^two: its names leave the order open: .* comes before .*, which $1" pictures two
}
doubt 'have no numbers' a.pgm b.pgm
doubt 'have the same numbers' 1.pgm 01.pgm
doubt 'have the same numbers' left1.pgm right1.pgm
doubt 'have several numbers, or texts, that ask for different orders' cam1_2.pgm cam2_1.pgm
doubt 'do not have equally many numbers' a1.pgm a1_2.pgm
doubt 'have numbers with a point' 1.1.pgm 1.05.pgm

# every file that is read is the file named, and its digest is recorded
mkdir '100%done' strange
cp ordered/1.pgm '100%done/1.pgm'
expect 0 '1 frames' pictures '100%done'
cp ordered/1.pgm strange/img1.pgm
for name in 'img%d.pgm' 'rainy%20day.pgm' 'concat:img1.pgm|img2.pgm' 'a*[b]?{c,d}.pgm' 'file:x.pgm' 'http:x.pgm' '-x.pgm'; do
    cp ordered/7.pgm "strange/$name"
    expect 0 '1 frames' pictures "strange/$name"
    digest p.h5 >>strange.digests
    tr -d '\n\0' <p.h5 | grep -aqF -- "$(sha256sum <ordered/7.pgm | cut -c1-64)  $name" || { echo "FAILED: $name"; exit 1; }
done
[ "$(sort -u strange.digests | wc -l)" = 1 ] || { echo 'FAILED: another file was read'; exit 1; }
make_clip plain.jpg 1 64x32 mjpeg
cp plain.jpg strange/-
(cd strange && expect 0 '2 frames' samebits-data convert video --size 16x16 -o ../p.h5 -- - -x.pgm)

# lists and playlists bring no other file, whatever they are called
printf 'ffconcat version 1.0\nfile clip.avi\n' >list.mp4
printf '#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nclip.avi\n#EXT-X-ENDLIST\n' >list.m3u8
printf 'v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 96\n' >list.sdp
for list in list.mp4:concat list.m3u8:hls list.sdp:sdp; do
    cp ${list%:*} list.png
    for name in ${list%:*} list.png; do
        expect 7 "^$name: (names other files .${list#*:}. and is no video itself|not a video|not one frame of it can be decoded)" samebits-data convert video $name -o p.h5
    done
done

# a name that is no UTF-8 is recorded in a form that is
mkdir latin
cp ordered/1.pgm latin/$'caf\xe9.pgm'
expect 0 '1 frames' pictures latin/$'caf\xe9.pgm' --name $'caf\xe9' --source $'na\xefve'
tr -d '\n\0' <p.h5 | grep -aqF "  $(printf 'caf\357\277\275.pgm')" || { echo 'FAILED: name'; exit 1; }
! grep -aq $'caf\xe9' p.h5 || { echo 'FAILED: a raw byte'; exit 1; }
! grep -aq $'na\xefve' p.h5 || { echo 'FAILED: a raw byte'; exit 1; }
rm -r latin

# what a folder holds besides is named; a pipe is refused, and nothing waits for it
mkdir besides besides/sub
cp ordered/1.pgm besides/x.gif
expect 5 'besides: neither a video nor an image .*: sub/, x.gif; a file that is named is read' pictures besides
cp clip.avi besides/a.avi
make_clip besides/b.ts 3 96x64 mpeg2video
expect 0 '^besides: ignored 3 files, by name neither video nor image: b.ts, sub/, x.gif; ' pictures besides
expect 0 '3 frames' pictures besides/b.ts
mkfifo besides/zz.png
expect 2 '^besides/zz.png: a pipe, not a regular file' timeout 20 samebits-data convert video besides -o p.h5
expect 2 '^besides/zz.png: a pipe, not a regular file' timeout 20 samebits-data convert video besides/zz.png -o p.h5
expect 2 '^/dev/zero: a device, not a regular file' timeout 20 samebits-data convert video /dev/zero -o p.h5

# ---- what a file says about its frames ----

said() { # PATTERN FILE...: this line
    expect 0 "^$2: $1" pictures "${@:2}"
}
silent() { # PATTERN FILE...: not this line
    expect 0 '^p.h5: ' pictures "${@:2}"
    lacks expect.out "$1"
}
silent_words='players|apart|interlaced|edit list|pages|streams|transparent|from its frame'
silent "$silent_words" clip.avi

# the orientation that a camera stored, in each of the eight forms
exif() { printf 'MM\0*\0\0\0\10\0\1\1\22\0\3\0\0\0\1\0'"\\$(printf %o $1)"'\0\0\0\0\0\0'; }
turned() { # ORIENTATION LINE
    { head -c 2 plain.jpg; printf '\377\341\0\42Exif\0\0'; exif $1; tail -c +3 plain.jpg; } >o$1.jpg
    said "players $2; here its frames are taken as they are stored" o$1.jpg
}
turned 2 'mirror it'
turned 3 'turn it by 180 degrees'
turned 4 'mirror it and turn it by 180 degrees'
turned 5 'mirror it and turn it by 270 degrees'
turned 6 'turn it by 90 degrees'
turned 7 'mirror it and turn it by 90 degrees'
turned 8 'turn it by 270 degrees'
silent players plain.jpg

# pictures in a file after the first
cat ordered/1.pgm ordered/2.pgm >several.pgm
said 'has 2 pages, of which only the first is read' several.pgm
silent pages ordered/1.pgm

# pixels that are no squares, in the shape that players show; a crop is of that shape
make_clip wide.mkv 3 90x72 ffv1 pixel=64:45
expect 0 '3 frames' samebits-data convert video wide.mkv --size 64x36 -o p.h5
lacks expect.out squeezed
expect 0 'wide.mkv: frames of 90x72, shown as 16:9, are squeezed into 50x40 .5:4.; with --crop 5:4 they' \
    samebits-data convert video wide.mkv --size 50x40 -o p.h5
expect 0 '3 frames' samebits-data convert video wide.mkv --size 50x40 --crop 5:4 -o p.h5
lacks expect.out squeezed

# frames that are not evenly spaced; half pictures; a size that changes, inside of a file and from picture to picture
make_clip uneven.mkv 6 96x64 ffv1 uneven
said 'its frames are not evenly spaced: 33 to 6[67] ms between frames; they are taken as they are stored' uneven.mkv
cp "$SB_SOURCE/tests/media/trimmed.mp4" trimmed.mp4
said 'holds 100 frames, of which its edit list shows 32; these are read' trimmed.mp4
lacks expect.out 'cut short'
make_clip woven.mkv 3 96x64 ffv1 interlaced
said 'frames are interlaced' woven.mkv
make_clip first.m2v 4 64x48 mpeg2video
make_clip second.m2v 4 48x64 mpeg2video
cat first.m2v second.m2v >changes.m2v
said 'from its frame [45] on frames of 48x64 .3:4.; before it frames of 64x48 .4:3.' changes.m2v
expect 0 '^ordered/1.pgm: from its frame 1 on frames of 16x16 .1:1.; before it frames of 64x32 .2:1.' pictures plain.jpg ordered/1.pgm

# ---- damage ----

# a file in the middle of which a piece is missing still gives the rest, and says so
size=$(stat -c %s clip.avi)
{ head -c $((size / 2)) clip.avi; head -c 3000 /dev/zero; tail -c +$((size / 2 + 3001)) clip.avi; } >damaged.avi
expect 0 'damaged.avi: [0-9]+ broken packets or frames left out, [0-9]+ frames came out damaged' \
    samebits-data convert video damaged.avi --size 48x32 -o damaged.h5

# so does one that ends too early; nothing is missing where all was read, or no more was wanted
ends='frames found, but it states that it holds 30; it may be cut short$'
head -c $((size / 2)) clip.avi >half.avi
expect 0 "^half.avi: [0-9]+ $ends" samebits-data convert video half.avi --size 48x32 -o half.h5
expect 0 'half.h5: 3 frames' samebits-data convert video half.avi --size 48x32 --frames 3 -o half.h5
! grep "$ends" expect.out || { echo 'FAILED: no more frames were wanted'; exit 1; }
expect 0 'half.h5: 29 frames' samebits-data convert video clip.avi --size 48x32 --drop-first -o half.h5
! grep "$ends" expect.out || { echo 'FAILED: all frames are there'; exit 1; }

# so does a JPEG that is cut short, or ends in zeros after an interrupted copy; not one with other bytes after its end
make_clip large.jpg 1 320x240 mjpeg
size=$(stat -c %s large.jpg)
head -c $((size * 3 / 4)) large.jpg >cut.jpg
{ cat cut.jpg; head -c 200 /dev/zero; } >zeros.jpg
{ cat large.jpg; head -c 200 /dev/zero; echo more; } >more.jpg
said '0 broken packets or frames left out, 1 frames came out damaged' cut.jpg
said '0 broken packets or frames left out, 1 frames came out damaged' zeros.jpg
silent damaged large.jpg more.jpg

# bad input: the code, the sentence, and nothing left
refuse() {
    local code=$1 pattern=$2
    shift 2
    expect "$code" "$pattern" samebits-data convert video "$@" -o bad.h5
    absent bad.h5 bad.h5.part
}
printf 'RIFF\054\0\0\0WAVEfmt \020\0\0\0\001\0\001\0\100\037\0\0\100\037\0\0\001\0\010\0data\010\0\0\0abcdefgh' \
    >sound.wav
head -c 200 clip.avi >cut.avi
mkdir empty
{ # the first bytes of a picture of 96x64, up to its pixels
    printf '\211PNG\r\n\032\n\0\0\0\rIHDR\0\0\0\140\0\0\0\100\010\002\0\0\0jV\345Y\0\0\023\210IDATx\234'
    printf '%017d' 0
} >cut.png
refuse 7 '^cut.png: not one frame of it can be decoded$' cut.png
refuse 7 '^cut.png: not one frame of it can be decoded$' forward/frame1.jpg cut.png
refuse 7 '^cut.png: not one frame of it can be decoded$' forward cut.png --drop-first
printf 'RIFF\60\0\0\0WEBPVP8X\12\0\0\0\2\0\0\0\17\0\0\17\0\0ANIM\6\0\0\0\0\0\0\0\0\0ANMF\0\0\0\0' >moves.webp
refuse 7 'moves.webp: it is an animated WebP, which is not read rightly; convert it to PNG first' moves.webp
: >nothing.png
refuse 7 'nothing.png: an empty file; remove it or fetch it again' nothing.png
refuse 7 'sound.wav: no video stream among its 1 stream' sound.wav
refuse 7 'README.txt: not a video or image that libav can read' frames/README.txt
refuse 7 'cut.avi: ' cut.avi
refuse 2 'no-such.mp4: No such file or directory' no-such.mp4
refuse 5 'empty: neither a video nor an image in this folder' empty
refuse 2 'sequence-starts 30 is after the last of 30 frames' clip.avi --sequence-starts 0,30
refuse 2 'sequence-starts must begin with 0 and ascend' clip.avi --sequence-starts 0,9,9
refuse 2 'order names sequence 3, there are 2' clip.avi clip.avi --order 1,3
refuse 2 'order names sequence 2 twice' clip.avi clip.avi --order 2,1,2
refuse 2 'still leaves one frame of a sequence, nothing to --reverse' clip.avi --still --reverse
refuse 2 "crop wants a shape like 4:3, not '4x3'" clip.avi --crop 4x3
refuse 2 'scaler wants one of bilinear.area.bicubic' clip.avi --scaler fast
refuse 2 "size wants WIDTHxHEIGHT, each in \[1, 8192\], not '0x3'" clip.avi --size 0x3
refuse 2 "unknown option '--sizes'" clip.avi --sizes 3x3
refuse 2 'wants INPUT' --size 48x32

# an output that is no file stays what it is: a pipe, a folder, a link to a pipe; a link to nothing is written over
mkfifo pipe
mkdir folder
ln -s pipe link
for kind in pipe:pipe folder:folder link:pipe; do
    name=${kind%:*}
    expect 2 "^$name: a ${kind#*:}, not a regular file; name another output\$" \
        timeout 60 samebits-data convert video clip.avi -o $name
    absent $name.part
done
[ -p pipe ]
[ -d folder ]
[ -h link ]
ln -s nowhere loose
expect 0 '^loose: 30 frames' samebits-data convert video clip.avi --size 48x32 -o loose

# nor does a data set take the place of a file that it is made of
mkdir originals
make_clip originals/a.jpg 1 96x64 mjpeg
make_clip originals/b.jpg 1 96x64 mjpeg
cp -r originals kept
for name in a.jpg b.jpg; do
    expect 2 "^originals/$name: the same file as the input originals/$name; name another output\$" \
        samebits-data convert video originals -o originals/$name
    absent originals/$name.part
    same originals/$name kept/$name
done

# a disk that is full (here: a limit on the size of files) is a sentence too
(
    ulimit -f 8
    refuse 1 'File too large' clip.avi --size 320x240
    # the library looks for the time zone after its write failed; on a bare system it finds none
    if unshare -m mount -t tmpfs none /etc 2>/dev/null; then
        expect 1 'File too large' unshare -m sh -c 'mount -t tmpfs none /etc && exec "$@"' sh \
            samebits-data convert video clip.avi --size 320x240 -o bad.h5
    fi
    refuse 1 'bad.h5.frames.part: File too large' clip.avi --size 320x240 --reverse
)

# the eight videos of the study
mkdir fpsi
expect 4 'fpsi: 8 of the 8 FPSI videos are missing' samebits-data convert fpsi --from fpsi -o bad.h5
expect 4 'figshare' samebits-data fetch fpsi
names=$(samebits-data fetch fpsi 2>&1 | sed -n 's/^  \(.*\)\.avi .*/\1/p')
for name in $names; do cp short.avi fpsi/$name.avi; done
mv fpsi/Denis_Day1_001.avi fpsi/Denis_Day1_001.AVI
expect 0 'fpsi.h5: 32 frames of 48x32' samebits-data convert fpsi --from fpsi --size 48x32 --drop-first -o fpsi.h5
expect 0 '32 frames of 48x32, 8 sequences' samebits-data verify fpsi.h5
rm fpsi/Alin_Day1_002.avi
expect 4 'Alin_Day1_002.avi +missing' samebits-data convert fpsi --from fpsi -o bad.h5
absent bad.h5 bad.h5.part

# or the selection that its group made of them: lists as its scripts write them, elsewhere; folders; plain images
frame() { mkdir -p "$(dirname "$1")" && make_clip "$1" 1 ${2:-160x120} mjpeg; }
select_fpsi() { # PATTERN N SEQUENCES FRAMES...: what is said, and that these frames are written in this order
    local said=$1 n=$2 sequences=$3
    shift 3
    expect 0 "^selection: the study's selection of frames: $said\$" \
        samebits-data convert fpsi --from selection --size 32x24 -o selection.h5
    expect 0 " $n frames of 32x24, $sequences sequences?," samebits-data verify selection.h5
    tr -d '\n\0' <selection.h5 | grep -aq "$(printf '  %s[0-9a-f]*' "$@")" || { echo "FAILED: not $*"; exit 1; }
    grep -aq 'figshare 5483668' selection.h5
}
for i in 0 1 2 10; do frame selection/b/frame_$i.jpg; done
for i in 0 1; do frame selection/a/picture_$i.jpg; done
echo text >selection/readme.txt
select_fpsi '2 sequences, 6 files, from 2 folders by name, as there is no sequence_list.txt' 6 2 \
    picture_0.jpg picture_1.jpg frame_0.jpg frame_1.jpg frame_2.jpg frame_10.jpg
printf '/home/them/b/frame_2.jpg\r\n../b/frame_1.jpg\n\n' >selection/b/train_list.txt
select_fpsi '2 sequences, 4 files, from 2 folders .*' 4 2 picture_0.jpg picture_1.jpg frame_2.jpg frame_1.jpg
printf 'b/train_list.txt\na/train_list.txt\n' >selection/sequence_list.txt
printf 'a/picture_1.jpg 0\na/picture_0.jpg 0' >selection/a/train_list.txt
select_fpsi '2 sequences, 4 files, in the order of sequence_list.txt' 4 2 frame_2.jpg frame_1.jpg picture_1.jpg picture_0.jpg
mkdir packed; cp -r selection packed/only
mv selection unpacked; mv packed selection
select_fpsi '2 sequences, 4 files, in the order of sequence_list.txt' 4 2 frame_2.jpg frame_1.jpg picture_1.jpg picture_0.jpg
rm -r selection; mv unpacked/b selection
select_fpsi '1 sequence, 2 files, as train_list.txt has them' 2 1 frame_2.jpg frame_1.jpg
rm selection/train_list.txt
select_fpsi '1 sequence, 4 files, by their numbers' 4 1 frame_0.jpg frame_1.jpg frame_2.jpg frame_10.jpg

# what is not it: nothing is written
convert_selection="samebits-data convert fpsi --from selection -o bad.h5"
expect 2 'selection: the frames of the study.s selection; --drop-first is for its videos' $convert_selection --drop-first
frame selection/frame_11.jpg 96x64
expect 7 'selection/frame_11.jpg: frames of 96x64, not of 160x120' $convert_selection
echo frame_12.jpg >selection/train_list.txt
expect 7 'selection/train_list.txt:1: names frame_12.jpg, which is neither in selection nor next to' $convert_selection
: >selection/train_list.txt
expect 7 'selection/train_list.txt: an empty list' $convert_selection
echo ../../../../../../../../etc/passwd >selection/train_list.txt
expect 7 'train_list.txt:1: names .*etc/passwd, which is neither in' $convert_selection
rm -r selection; mkdir -p selection/empty
expect 4 'selection: 8 of the 8 FPSI videos are missing' $convert_selection
absent bad.h5 bad.h5.part
