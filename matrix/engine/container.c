#include "matrix/engine/container.h"

#include "matrix/process/process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct sb_container {
    const char *name;    /* also of the program */
    const char *run;     /* what every run begins with */
    const char *gpu;     /* hands over the GPUs */
    const char *build;   /* NULL: it builds no images, and keeps none: they are archives */
    const char *strip;   /* builds what was built once more, without a history; NULL: that has its place in the image */
    const char *local;   /* for a build on an image that is here */
    const char *work;    /* names the folder that a command runs in */
    const char *program; /* in the image, where the engine does not start it by itself */
    bool limits_memory;
    void (*add_user)(sb_argv *argv);
    const char *advice; /* where it is missing */
};

/* -- the user's own number, so that the run file is the user's -- */

static void user_by_number(sb_argv *argv)
{
    char user[64];
    snprintf(user, sizeof user, "--user=%ld:%ld", (long)getuid(), (long)getgid());
    sb_argv_add(argv, user);
}

/* Without root, podman's root is the user; this makes the user in the container the user outside. */
static void user_kept(sb_argv *argv)
{
    if (geteuid() == 0)
        user_by_number(argv);
    else
        sb_argv_add(argv, "--userns=keep-id");
}

static void user_same(sb_argv *argv)
{
    (void)argv;
}

/* What podman and docker are told alike. */
#define RUN                                                                                                            \
    " run --rm --pull=never --network=none --read-only --log-driver=none --cap-drop=all"                               \
    " --security-opt=no-new-privileges --pids-limit=1024"

/* In the order they are tried. podman 4.3 accepts --gpus and does nothing. With --timestamp=0 equal sources are equal
 * layers; the history of an image differed once between two builds of them, so that an image has none. podman finds in
 * its cache by histories alone, and a build without them would compile the trainer anew for each stack: images are built
 * with them, and a second build leaves them out. apptainer gives no capabilities to users and none to be gained;
 * --no-privs says so for root. */
static const sb_container containers[] = {
    {"podman", "podman" RUN, "--device=nvidia.com/gpu=all", "podman build --timestamp=0",
     "podman build --timestamp=0 --omit-history --pull=never", "--pull=never", "--workdir=%s", NULL, true, user_kept,
     "install the Debian package podman, or choose another --engine"},
    {"docker", "docker" RUN, "--gpus=all", "docker build", NULL, "", "--workdir=%s", NULL, true, user_by_number,
     "install the Debian package docker.io and start its daemon, or choose another --engine"},
    {"apptainer", "apptainer exec --containall --no-home --no-privs --net --network=none", "--nv", NULL, NULL, NULL,
     "--pwd=%s", "/samebits", false, user_same, "install it from apptainer.org, or choose another --engine"},
};
enum { CONTAINERS = sizeof containers / sizeof *containers };

const sb_container *sb_container_find(const char *name)
{
    for (int i = 0; i < CONTAINERS; i++)
        if (strcmp(containers[i].name, name) == 0) return &containers[i];
    return NULL;
}

const sb_container *sb_container_at(int index)
{
    return index < CONTAINERS ? &containers[index] : NULL;
}

const char *sb_container_name(const sb_container *container)
{
    return container->name;
}

/* -- images -- */

static sb_status fail_absent(const sb_container *c)
{
    return sb_fail(SB_E_MISSING, "%s: not installed here; %s", c->name, c->advice);
}

static sb_status check_installed(const sb_container *c)
{
    SB_FREED char *version = NULL;
    sb_status status = sb_process_ask_words(&version, c->name, "--version");
    return status == SB_E_MISSING ? fail_absent(c) : status;
}

sb_status sb_container_open(const sb_container **container, const char *name)
{
    *container = sb_container_find(name);
    if (*container) return check_installed(*container);
    for (int i = 0; i < CONTAINERS; i++) {
        *container = &containers[i];
        if (check_installed(*container) == SB_OK) return SB_OK;
    }
    return sb_fail(SB_E_MISSING,
                   "none of podman, docker and apptainer is installed here; install the Debian package podman");
}

/* What the engine says of an image, the caller's to free. SB_E_DIFFERS: it has no such image, or does not work; its own
 * sentence is the message. */
static sb_status ask_of_image(char **answer, const sb_container *c, const char *format, const char *image)
{
    sb_argv argv = {0};
    sb_argv_add(&argv, c->name);
    sb_argv_add_split(&argv, "image inspect --format");
    sb_argv_add_pair(&argv, format, image);
    sb_status status = sb_process_ask(answer, &argv);
    return status == SB_E_MISSING ? fail_absent(c) : status;
}

static sb_status inspect(char id[SB_IMAGE_ID], const sb_container *c, const char *image)
{
    char *answer;
    SB_TRY(ask_of_image(&answer, c, "{{.Id}}", image));
    int prefix = strncmp(answer, "sha256:", 7) == 0 ? 7 : 0; /* docker says it, podman does not */
    snprintf(id, SB_IMAGE_ID, "sha256:%.64s", answer + prefix);
    free(answer);
    return SB_OK;
}

/* apptainer: the archive is what it runs, so that its id is the image's. */
static sb_status archived(char id[SB_IMAGE_ID], const sb_container *c, const sb_stack *stack, const char *folder)
{
    char archive[SB_PATH_MAX];
    SB_TRY(check_installed(c));
    SB_TRY(sb_image_archive(archive, stack, folder));
    return sb_image_archive_id(id, archive);
}

sb_status sb_container_image_id(char id[SB_IMAGE_ID], const sb_container *c, const sb_stack *stack, const char *folder)
{
    if (!c->build) return archived(id, c, stack, folder);
    char tag[SB_IMAGE_TAG];
    sb_image_tag(stack, tag);
    sb_status status = inspect(id, c, tag);
    if (status != SB_E_DIFFERS) return status;
    if (strstr(sb_message(), "Cannot connect to the Docker daemon"))
        return sb_fail(SB_E_MISSING, "%s; start its daemon, or choose another --engine", sb_message());
    return sb_fail(SB_E_MISSING, "%s; 'samebits-matrix image build %s' makes the image, '%s load -i FILE' takes a saved one",
                   sb_message(), stack->name, c->name);
}

sb_status sb_container_image_bytes(long long *n_bytes, const sb_container *c, const sb_stack *stack, const char *folder)
{
    char path[SB_PATH_MAX], tag[SB_IMAGE_TAG], *answer;
    struct stat about;
    sb_image_tag(stack, tag);
    if (c->build) {
        SB_TRY(ask_of_image(&answer, c, "{{.Size}}", tag));
        *n_bytes = strtoll(answer, NULL, 10);
        free(answer);
        return SB_OK;
    }
    SB_TRY(sb_image_archive(path, stack, folder));
    if (stat(path, &about) != 0) return sb_fail(SB_E_MISSING, "%s: no such file", path);
    *n_bytes = about.st_size;
    return SB_OK;
}

sb_status sb_container_check(const sb_container *c, const sb_stack *stack, const char *id, const char *folder)
{
    char here[SB_IMAGE_ID];
    if (c->build && inspect(here, c, id) == SB_OK) return SB_OK; /* under whatever tag */
    SB_TRY(sb_container_image_id(here, c, stack, folder));
    if (strcmp(here, id) == 0) return SB_OK;
    return sb_fail(SB_E_INTEGRITY,
                   "%s: the image of stack %s is %.19s..., the lock says %.19s...; load the locked one, or "
                   "'samebits-matrix image lock' this one",
                   c->name, stack->name, here, id);
}

sb_status sb_container_check_custom(const sb_container *c, const char *image)
{
    char id[SB_IMAGE_ID];
    if (!c->build) return sb_file_exists(image) ? check_installed(c) : sb_fail(SB_E_MISSING, "%s: no such file", image);
    sb_status status = inspect(id, c, image);
    return status == SB_E_DIFFERS ? sb_fail(SB_E_MISSING, "%s", sb_message()) : status;
}

/* -- runs -- */

/* An option and its value as one word, "--mount=type=bind,src=...". */
static void add_option(sb_argv *argv, const char *format, const char *value)
{
    char text[2 * SB_PATH_MAX + 64];
    snprintf(text, sizeof text, format, value, value);
    sb_argv_add(argv, text);
}

/* What the trainer itself reads; the rest of this machine's environment stays outside. */
static void add_environment(sb_argv *argv, const char *id)
{
    static const char *const handed_in[] = {"SOURCE_DATE_EPOCH", "SAMEBITS_ISA", "CUDA_VISIBLE_DEVICES"};
    add_option(argv, "--env=SAMEBITS_IMAGE=%s", id);
    for (size_t i = 0; i < sizeof handed_in / sizeof *handed_in; i++) {
        const char *value = getenv(handed_in[i]);
        char format[64];
        snprintf(format, sizeof format, "--env=%s=%%s", handed_in[i]);
        if (value) add_option(argv, format, value);
    }
}

/* A run may take this machine's memory but for an eighth, and none of its swap: whatever goes wrong in it, the machine
 * stays usable. */
static void add_memory(sb_argv *argv)
{
    char text[96];
    const long long n_bytes = (long long)sysconf(_SC_PHYS_PAGES) / 8 * 7 * sysconf(_SC_PAGESIZE);
    snprintf(text, sizeof text, "--memory=%lldb --memory-swap=%lldb", n_bytes, n_bytes);
    sb_argv_add_split(argv, text);
}

static void add_image(sb_argv *argv, const sb_container *c, const sb_container_task *task)
{
    char archive[SB_PATH_MAX];
    if (c->build || !task->stack)
        sb_argv_add(argv, task->id);
    else if (sb_image_archive(archive, task->stack, task->folder) == SB_OK)
        add_option(argv, "docker-archive:%s", archive);
    if (c->program && task->stack) sb_argv_add(argv, c->program);
}

/* A command finds its files where they are, may write into /tmp, and sees the study's environment. */
static void add_work(sb_argv *argv, const sb_container *c, const sb_container_task *task)
{
    char variable[SB_PATH_MAX];
    add_option(argv, "--mount=type=bind,src=%s,dst=%s,ro", task->work);
    add_option(argv, c->work, task->work);
    if (c->build) sb_argv_add(argv, "--tmpfs=/tmp");
    for (int i = 0; task->environment && i < task->environment->n; i++) {
        snprintf(variable, sizeof variable, "--env=%s", task->environment->item[i]);
        sb_argv_add(argv, variable);
    }
}

sb_status sb_container_run_argv(sb_argv *argv, const sb_container *c, const sb_container_task *task)
{
    const char *const paths[] = {task->data, task->output, task->work};
    for (int i = 0; i < 3; i++)
        if (paths[i] && strpbrk(paths[i], ",\"\n"))
            return sb_fail(SB_E_USAGE,
                           "%s: a container cannot be given a path with a comma or a quote; move it, or "
                           "choose --engine none",
                           paths[i]);
    sb_argv_add_split(argv, c->run);
    if (c->limits_memory) add_memory(argv);
    c->add_user(argv);
    if ((!task->stack || task->stack->sm_max) && !task->without_gpu) sb_argv_add(argv, c->gpu);
    if (task->name && c->build) add_option(argv, "--name=%s", task->name);
    add_environment(argv, task->id);
    if (task->data) add_option(argv, "--mount=type=bind,src=%s,dst=%s,ro", task->data);
    if (task->work) add_work(argv, c, task);
    if (task->output) add_option(argv, "--mount=type=bind,src=%s,dst=%s", task->output);
    add_image(argv, c, task);
    return sb_argv_check(argv);
}

sb_status sb_container_kill_argv(sb_argv *argv, const sb_container *c, const char *name)
{
    if (!c->build) return SB_OK;
    sb_argv_add(argv, c->name);
    sb_argv_add_split(argv, "kill --signal=KILL");
    sb_argv_add(argv, name);
    return sb_argv_check(argv);
}

/* What podman says where it may not raise limits, or where a kernel has both kinds of cgroups, and the file that helps
 * (containers/README.md); and where an ordinary user has no numbers for the users in a container. */
static const char *advice_on(const char *sentence)
{
#define SANDBOX " (try it with CONTAINERS_CONF=$PWD/containers/sandbox.conf: containers/README.md)"
    static const struct {
        const char *part, *advice;
    } known[] = {
        {"rlimit", SANDBOX},
        {"hybrid mode", SANDBOX},
        {"/etc/subuid", " (usermod --add-subuids 100000-165535 --add-subgids 100000-165535 USER gives it them)"}};
#undef SANDBOX
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strstr(sentence, known[i].part)) return known[i].advice;
    return "";
}

sb_status sb_container_info(char **info, const sb_container *c, const sb_container_task *task)
{
    SB_OWNED(sb_argv_free) sb_argv argv = {0};
    SB_TRY(sb_container_run_argv(&argv, c, task));
    sb_argv_add(&argv, "info");
    const sb_status status = sb_process_ask(info, &argv);
    if (status == SB_E_DIFFERS)
        return sb_fail(SB_E_MISSING, "%s cannot start a container here%s: %s", c->name, advice_on(sb_message()),
                       sb_message());
    return status;
}

/* -- building and saving -- */

static sb_status fail_archives(const sb_container *c)
{
    return sb_fail(SB_E_MISSING,
                   "%s: it runs saved images as they are, and neither builds nor keeps any; --engine wants "
                   "podman or docker for that",
                   c->name);
}

/* What the first of two builds is called. */
static void with_history(const sb_stack *stack, char tag[SB_IMAGE_TAG])
{
    snprintf(tag, SB_IMAGE_TAG, "localhost/samebits-build:%s", stack->name);
}

/* COMMAND -f FOLDER/FILE -t TAG */
static sb_status add_build(sb_argv *argv, const char *command, const char *folder, const char *file, const char *tag)
{
    char path[SB_PATH_MAX];
    if (snprintf(path, sizeof path, "%s/%s", folder, file) >= SB_PATH_MAX) return sb_file_too_long(folder);
    sb_argv_add_split(argv, command);
    sb_argv_add_pair(argv, "-f", path);
    sb_argv_add_pair(argv, "-t", tag);
    return SB_OK;
}

sb_status sb_container_build_argv(sb_argv *argv, const sb_container *c, const sb_container_build *build)
{
    char tag[SB_IMAGE_TAG];
    if (!c->build) return fail_archives(c);
    (c->strip ? with_history : sb_image_tag)(build->stack, tag);
    SB_TRY(add_build(argv, c->build, build->context, "Containerfile", tag));
    add_option(argv, "--build-arg=REVISION=%s", build->revision);
    if (build->base) {
        add_option(argv, "--build-arg=BASE=%s", build->base);
        sb_argv_add_split(argv, c->local);
    }
    sb_argv_add(argv, build->context);
    return sb_argv_check(argv);
}

sb_status sb_container_strip_argv(sb_argv *argv, const sb_container *c, const sb_container_build *build)
{
    char tag[SB_IMAGE_TAG], built[SB_IMAGE_TAG];
    if (!c->strip) return SB_OK;
    sb_image_tag(build->stack, tag);
    with_history(build->stack, built);
    SB_TRY(add_build(argv, c->strip, build->context, "containers/Containerfile.strip", tag));
    add_option(argv, "--build-arg=BUILT=%s", built);
    sb_argv_add(argv, build->context);
    return sb_argv_check(argv);
}

sb_status sb_container_save_argv(sb_argv *argv, const sb_container *c, const sb_stack *stack, const char *archive)
{
    char tag[SB_IMAGE_TAG];
    if (!c->build) return fail_archives(c);
    sb_image_tag(stack, tag);
    sb_argv_add(argv, c->name);
    sb_argv_add_split(argv, "save -o");
    sb_argv_add_pair(argv, archive, tag);
    return sb_argv_check(argv);
}
