/* Room on the disk under a path. */
#pragma once

/* Bytes free to this user where path is, or will be: the nearest folder above it that is there. Negative: unknown. */
double sb_disk_free(const char *path);

/* "35.2 GiB", "181 MiB": for people. */
void sb_disk_text(double n_bytes, char text[32]);
