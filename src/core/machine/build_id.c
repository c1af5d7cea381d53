#include "core/machine/build_id.h"

#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { ID_TEXT = 65 };

static size_t aligned(size_t n)
{
    return (n + 3) & ~(size_t)3;
}

/* The build id among the notes of one segment: each a header, a name and a description, padded to four bytes. */
static bool find_in_notes(const char *note, size_t size, char text[ID_TEXT])
{
    while (size >= sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) head;
        memcpy(&head, note, sizeof head);
        size_t name = sizeof head, id = name + aligned(head.n_namesz), end = id + aligned(head.n_descsz);
        if (end > size) return false;
        if (head.n_type == NT_GNU_BUILD_ID && head.n_namesz == 4 && memcmp(note + name, "GNU", 4) == 0) {
            for (size_t i = 0; i < head.n_descsz && 2 * i + 2 < ID_TEXT; i++)
                snprintf(text + 2 * i, 3, "%02x", (unsigned char)note[id + i]);
            return head.n_descsz > 0;
        }
        note += end;
        size -= end;
    }
    return false;
}

static int add_object(struct dl_phdr_info *object, size_t size, void *context)
{
    (void)size;
    sb_facts *facts = context;
    const char *file = object->dlpi_name ? strrchr(object->dlpi_name, '/') : NULL;
    char name[sizeof facts->fact[0].name] = "build_id", id[ID_TEXT] = "none";
    bool library = object->dlpi_name && *object->dlpi_name;     /* the program itself has no name */
    if (library && strstr(object->dlpi_name, "vdso")) return 0; /* the kernel's, and with it goes the fact "kernel" */
    if (library) snprintf(name, sizeof name, "build_id_%s", file ? file + 1 : object->dlpi_name);
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        if (segment->p_type != PT_NOTE) continue;
        if (find_in_notes((const char *)(object->dlpi_addr + segment->p_vaddr), segment->p_memsz, id)) break;
    }
    sb_facts_add(facts, name, "%s", id);
    if (library) {
        snprintf(name, sizeof name, "path_%s", file ? file + 1 : object->dlpi_name);
        sb_facts_add(facts, name, "%s", object->dlpi_name);
    }
    return 0;
}

void sb_build_id_facts(sb_facts *facts)
{
    dl_iterate_phdr(add_object, facts);
}
