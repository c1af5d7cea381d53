/* What a text that others will read says of the person whose machine made it. */
#pragma once

/* In a text that others will read, make the home folder and, in absolute paths, a folder named like its owner '~'. The
 * text gets no longer. Where the environment says neither HOME nor USER, nothing is hidden. */
void sb_home_hide(char *text);
