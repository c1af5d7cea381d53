# The commands of one manual, $SB_MANUAL below the source, typed in the root of what looks like a clone that was built, by
# a reader who has a video of his own.
. "$SB_SOURCE/tests/support/doc_commands.sh"
doc_clone
make_clip clip.mp4 120 128x72 mpeg4
doc_run "$SB_SOURCE/$SB_MANUAL"
