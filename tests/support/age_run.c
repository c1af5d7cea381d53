/* age_run FILE SETTING...: a run file as a program wrote it that had not these settings yet: /config loses them, and
 * what tells a changed file is written anew. */
#include "io/run/runfile.h"

#include <hdf5.h>
#include <stdio.h>

static bool drop(const char *path, int n, char **setting)
{
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    bool done = file >= 0;
    for (int i = 0; done && i < n; i++) done = H5Adelete_by_name(file, "config", setting[i], H5P_DEFAULT) >= 0;
    return (file < 0 || H5Fclose(file) >= 0) && done;
}

static sb_status digest_of(const char *path, sb_seal_kind kind, char text[SB_HASH_TEXT])
{
    sb_h5 *file;
    sb_hash digest;
    SB_TRY(sb_seal_write(path, kind));
    SB_TRY(sb_h5_open(&file, path, kind));
    const sb_status status = sb_runfile_digest(file, &digest);
    sb_h5_close(file);
    if (status == SB_OK) sb_hash_text(digest, text);
    return status;
}

/* In place of the old one, of the same type. */
static bool write_digest(hid_t file, const char *group, const char *text)
{
    const hid_t old = H5Aopen_by_name(file, group, "digest", H5P_DEFAULT, H5P_DEFAULT);
    if (old < 0) return false;
    const hid_t type = H5Aget_type(old), scalar = H5Screate(H5S_SCALAR);
    H5Aclose(old);
    H5Adelete_by_name(file, group, "digest", H5P_DEFAULT);
    const hid_t digest = H5Acreate_by_name(file, group, "digest", type, scalar, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const bool done = digest >= 0 && H5Awrite(digest, type, text) >= 0;
    H5Aclose(digest), H5Sclose(scalar), H5Tclose(type);
    return done;
}

static bool write_digests(const char *path, const char *text)
{
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    const bool done = file >= 0 && write_digest(file, "head", text) && write_digest(file, "final", text);
    return (file < 0 || H5Fclose(file) >= 0) && done;
}

int main(int argc, char **argv)
{
    sb_seal seal;
    char text[SB_HASH_TEXT];
    if (argc >= 3 && sb_seal_peek(argv[1], &seal) && drop(argv[1], argc - 2, argv + 2) &&
        digest_of(argv[1], seal.kind, text) == SB_OK && write_digests(argv[1], text) &&
        sb_seal_write(argv[1], seal.kind) == SB_OK)
        return 0;
    fprintf(stderr, "age_run FILE SETTING...: not done\n");
    return 1;
}
