/* Shared by the files h5_*.c alone; hdf5.h is included here and nowhere else. */
#pragma once

#include "io/h5/h5.h"

#include "core/file.h"

#include <hdf5.h>

enum { SB_H5_NAME_MAX = 512 }; /* of a path inside a file that is read */

struct sb_h5 {
    hid_t id;
    bool created;
    int lock;     /* on the part of a created file, held until it is closed; -1: none */
    sb_seal seal; /* found when it was opened; of a created file the kind alone */
    hid_t rows;   /* data set whose rows were read last, 0 if none: open, so that its unpacked chunks stay in memory */
    hid_t held;   /* object whose attribute was read last, 0 if none: open, because the next one often is its, too */
    bool is_sealed;   /* no file of others (golden files): none of their forms beyond ours are read */
    uint64_t n_bytes; /* of a file that is read */
    char path[SB_PATH_MAX], rows_name[SB_PATH_MAX], held_name[SB_H5_NAME_MAX];
};

/* -- one thread at a time -- */

/* HDF5 locks no file itself: it refuses to open a good file where the file system has no locks. Locks are taken in h5.c.
 *
 * The library is called by one thread at a time, whether it was built for several or not, and so are the handles of
 * this program: every function of h5.h, h5_attribute.h, h5_copy.h, h5_scale.h and h5_walk.h that calls it begins with
 * SB_H5_TURN, and has its turn until it returns. A thread that has it may call others of them. */
int sb_h5_turn_begin(void);
void sb_h5_turn_end(const int *turn);
void sb_h5_turn_renew(void); /* in a process that was forked by a thread that has its turn */
#define SB_H5_TURN __attribute__((cleanup(sb_h5_turn_end), unused)) const int turn = sb_h5_turn_begin()

/* SB_E_MEMORY where some megabytes are not to be had: HDF5 1.10 takes some hundred kilobytes in a call, and where one of
 * its own requests fails it may follow a null pointer (H5AC_create), damage the heap, or say that a file is damaged. */
sb_status sb_h5_room(const char *path);

/* A data set or a group, "" is the root; closed with H5Oclose. Absent: a group is made if `make`, else the id is
 * invalid. */
hid_t sb_h5_open_object(sb_h5 *file, const char *object, bool make);

/* -- reading what may be crafted -- */

/* Every link, object, type, shape, storage and attribute in the file is of a form that is read (h5_form.c), and what
 * they hold was read once. SB_E_INTEGRITY: something is not, and why. */
sb_status sb_h5_check_file(const sb_h5 *file);

/* Open and check a file in a process of its own, which the library may bring down or keep busy. What comes to its end
 * there comes to the same end here. */
sb_status sb_h5_try(const char *path, bool is_sealed);

/* The same with a function that does it. */
typedef sb_status sb_h5_meet(const char *path, bool is_sealed);
sb_status sb_h5_try_beside(const char *path, bool is_sealed, sb_h5_meet *meet);

/* The shape of an open data set, if there is one for it. */
sb_status sb_h5_shape_of_set(const sb_h5 *file, const char *name, hid_t set, sb_h5_shape *shape);

/* Read an open data set and forget it: of a large one as many rows as fit. */
void sb_h5_read_some(hid_t set, const sb_h5_shape *shape);

/* Are this name and type, on that open object, one of the two lists that the library keeps for dimension scales
 * (h5_scale.c)? Their form is checked; what they hold is never read. */
bool sb_h5_is_scale_list(hid_t object, const char *name, hid_t type);

/* An open attribute as text, cut to size; false: it is of a kind that is not understood. */
bool sb_h5_text_of_attribute(hid_t attribute, char *value, size_t size);

/* errno of the library's last failure; 0: it names none. It must be 0 before the attempt. */
int sb_h5_error(void);

/* SB_E_IO, with what sb_h5_error says. */
sb_status sb_h5_fail_write(const sb_h5 *file, const char *name);
