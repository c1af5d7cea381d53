/* A plugin of qemu-user that counts the guest's instructions, for programs of one thread:
 *
 *     gcc -shared -fPIC -o instructions.so tests/cross/instructions.c
 *     qemu-aarch64 -plugin ./instructions.so -d plugin build/arm64/bin/samebits step ...
 *
 * Debian ships qemu's plugins without their header: these are the declarations of its first version, which all later
 * ones understand. */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

typedef uint64_t plugin_id;
struct qemu_plugin_tb;
enum { ADD_U64 };

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id id, void (*call)(plugin_id id, struct qemu_plugin_tb *block));
void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *block, int operation, void *to, uint64_t number);
void qemu_plugin_register_atexit_cb(plugin_id id, void (*call)(plugin_id id, void *context), void *context);
void qemu_plugin_outs(const char *text);
int qemu_plugin_install(plugin_id id, const void *info, int argc, char **argv);

int qemu_plugin_version = 1;
static uint64_t instructions;

/* Each time that the block is run, its instructions are added. */
static void add_block(plugin_id id, struct qemu_plugin_tb *block)
{
    (void)id;
    qemu_plugin_register_vcpu_tb_exec_inline(block, ADD_U64, &instructions, qemu_plugin_tb_n_insns(block));
}

static void print(plugin_id id, void *context)
{
    char text[64];
    (void)id, (void)context;
    snprintf(text, sizeof text, "instructions %" PRIu64 "\n", instructions);
    qemu_plugin_outs(text);
}

int qemu_plugin_install(plugin_id id, const void *info, int argc, char **argv)
{
    (void)info, (void)argc, (void)argv;
    qemu_plugin_register_vcpu_tb_trans_cb(id, add_block);
    qemu_plugin_register_atexit_cb(id, print, NULL);
    return 0;
}
