/* delay_link DELAY_US MBIT NAMESPACE...: a switch between network namespaces, whose every wire has a delay and a rate.
 *
 *     ip netns add a; ip netns add b
 *     delay_link 50 1000 a b &        net0 in each, address 02:00:00:00:00:01, ...:02, and down
 *     ip -n a address add 10.77.0.1/24 dev net0; ip -n a link set net0 up; ...
 *
 * It runs until it is killed, its TAP devices go with it; needs root. A frame leaves its wire when the wire is free, at MBIT
 * (0: at once), arrives DELAY_US after its beginning did, and waits there for the wire to the receiver, which has the
 * same rate: an idle way takes length / rate + DELAY_US. Frames to one receiver stay in order. TCP's segments travel in
 * blocks of up to 64 KB with the header that describes them (vnet_hdr), and each counts with its own headers on the wire.
 *
 * A sender is read only while its wire is less than BACKLOG_NS behind and a slot is free: what waits longer waits in the
 * kernel's queue. A frame that a device does not take is lost, and they are counted at the end. The process asks for a
 * real-time priority: beside ranks that spin it would be woken milliseconds late otherwise. It sleeps until AHEAD_NS before a
 * frame is due, so that its time on a CPU goes by the frames. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_ether.h>
#include <linux/if_tun.h>
#include <linux/virtio_net.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum {
    PORTS = 16,
    FRAME = 1 << 17,         /* the longest block, its headers, rounded up */
    SLOTS = 1024,            /* frames under way, of all ports */
    BACKLOG_NS = 200000,     /* how far a wire may be behind */
    AHEAD_NS = 10000,        /* so long before a frame is due the clock is asked without pause */
    WIRE_BYTES = 24,         /* preamble, checksum and gap of an Ethernet frame */
    HEADERS = ETH_HLEN + 52, /* of a TCP segment with time stamps */
};

typedef struct frame {
    int64_t due_ns;
    int n_bytes;
    uint8_t bytes[FRAME]; /* virtio_net_hdr, then the Ethernet frame */
} frame;

/* Frames to one port, in order. */
typedef struct port {
    int fd;
    int64_t sends_until_ns, receives_until_ns; /* its two wires are busy */
    int waiting[SLOTS], first, n;
} port;

static port ports[PORTS];
static int n_ports;
static frame *frames;
static int unused[SLOTS], n_unused; /* the last one freed is the next one used: it is in the cache */
static int64_t delay_ns;
static double ns_per_byte;
static long n_dropped;
static volatile sig_atomic_t is_over;

static int64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

/* ---- devices ---- */

static int fail(const char *what, const char *where)
{
    fprintf(stderr, "delay_link: %s: %s: %s\n", where, what, strerror(errno));
    return -1;
}

/* The process is in the namespace afterwards. */
static int enter(const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "/run/netns/%s", name);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || setns(fd, CLONE_NEWNET) != 0) return fail("cannot be entered", path);
    return close(fd);
}

static int set_address(int fd, int number)
{
    struct ifreq request = {.ifr_hwaddr = {.sa_family = 1 /* ARPHRD_ETHER */}};
    const uint8_t address[ETH_ALEN] = {2, 0, 0, 0, 0, (uint8_t)(number + 1)};
    memcpy(request.ifr_hwaddr.sa_data, address, sizeof address);
    return ioctl(fd, SIOCSIFHWADDR, &request);
}

static int open_port(const char *namespace, int number)
{
    if (enter(namespace) != 0) return -1;
    const int fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    struct ifreq request = {.ifr_flags = IFF_TAP | IFF_NO_PI | IFF_VNET_HDR};
    strcpy(request.ifr_name, "net0");
    if (fd < 0 || ioctl(fd, TUNSETIFF, &request) != 0) return fail("no TAP device", namespace);
    if (ioctl(fd, TUNSETOFFLOAD, TUN_F_CSUM | TUN_F_TSO4 | TUN_F_TSO6) != 0) return fail("no offload", namespace);
    if (set_address(fd, number) != 0) return fail("no address", namespace);
    return fd;
}

/* ---- wires ---- */

/* Of a frame with what surrounds it on a wire; a block is as many frames as it has segments. */
static int64_t wire_ns(const frame *f)
{
    const struct virtio_net_hdr *header = (const void *)f->bytes;
    const int length = f->n_bytes - (int)sizeof *header;
    const int payload = length - header->hdr_len, segment = header->gso_size;
    const int n_more = header->gso_type && segment && payload > segment ? (payload - 1) / segment : 0;
    return (int64_t)(ns_per_byte * (length + WIRE_BYTES + n_more * (HEADERS + WIRE_BYTES)));
}

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static void queue_frame(int slot, int to, int64_t begins_ns, int64_t on_wire_ns)
{
    port *p = &ports[to];
    p->receives_until_ns = later(begins_ns + delay_ns, p->receives_until_ns) + on_wire_ns;
    frames[slot].due_ns = p->receives_until_ns;
    p->waiting[(p->first + p->n++) % SLOTS] = slot;
}

/* A frame to all is copied: they are few and short (ARP). */
static void send_to_others(int slot, int from, int64_t begins_ns, int64_t on_wire_ns)
{
    for (int to = 0; to < n_ports; to++) {
        if (to == from) continue;
        if (!n_unused) {
            n_dropped++;
            continue;
        }
        const int copy = unused[--n_unused];
        frames[copy].n_bytes = frames[slot].n_bytes;
        memcpy(frames[copy].bytes, frames[slot].bytes, (size_t)frames[slot].n_bytes);
        queue_frame(copy, to, begins_ns, on_wire_ns);
    }
    unused[n_unused++] = slot;
}

/* The port that the frame goes to, or -1: all. */
static int receiver(const frame *f)
{
    const uint8_t *address = f->bytes + sizeof(struct virtio_net_hdr);
    if (address[0] & 1) return -1;
    const int to = address[ETH_ALEN - 1] - 1;
    return to >= 0 && to < n_ports ? to : -1;
}

/* One frame of a port into a queue; false: there is none, or the wire is far behind. */
static bool read_frame(int from)
{
    port *p = &ports[from];
    if (p->sends_until_ns - now_ns() > BACKLOG_NS || !n_unused) return false;
    const int slot = unused[n_unused - 1];
    frame *f = &frames[slot];
    f->n_bytes = (int)read(p->fd, f->bytes, sizeof f->bytes);
    if (f->n_bytes < (int)sizeof(struct virtio_net_hdr) + ETH_HLEN) return false;
    n_unused--;
    const int64_t begins_ns = later(now_ns(), p->sends_until_ns), on_wire_ns = wire_ns(f);
    p->sends_until_ns = begins_ns + on_wire_ns;
    const int to = receiver(f);
    if (to < 0)
        send_to_others(slot, from, begins_ns, on_wire_ns);
    else
        queue_frame(slot, to, begins_ns, on_wire_ns);
    return true;
}

/* What is due goes to its port. */
static void write_due(port *p)
{
    while (p->n && frames[p->waiting[p->first]].due_ns <= now_ns()) {
        const int slot = p->waiting[p->first];
        const ssize_t n = write(p->fd, frames[slot].bytes, (size_t)frames[slot].n_bytes);
        if (n < 0 && errno != EIO) n_dropped++; /* EIO: the device is down yet */
        unused[n_unused++] = slot;
        p->first = (p->first + 1) % SLOTS;
        p->n--;
    }
}

/* ---- waiting ---- */

/* When something is to be done next without a new frame: one is due, or a wire has caught up. */
static int64_t next_ns(int64_t now)
{
    int64_t next = INT64_MAX;
    for (int i = 0; i < n_ports; i++) {
        const port *p = &ports[i];
        const int64_t due = p->n ? frames[p->waiting[p->first]].due_ns : INT64_MAX;
        const int64_t caught_up = p->sends_until_ns - BACKLOG_NS;
        if (due < next) next = due;
        if (caught_up > now && caught_up < next) next = caught_up;
    }
    return next;
}

static void wait_for_work(void)
{
    struct pollfd of[PORTS];
    const int64_t now = now_ns(), next = next_ns(now), sleep_ns = next - now - AHEAD_NS;
    if (sleep_ns <= 0) return;
    for (int i = 0; i < n_ports; i++) {
        const bool reads = ports[i].sends_until_ns - now <= BACKLOG_NS;
        of[i] = (struct pollfd){.fd = ports[i].fd, .events = reads ? POLLIN : 0};
    }
    const struct timespec limit = {sleep_ns / 1000000000, sleep_ns % 1000000000};
    ppoll(of, (nfds_t)n_ports, next == INT64_MAX ? NULL : &limit, NULL);
}

static void on_end(int number)
{
    (void)number;
    is_over = 1;
}

static void run(void)
{
    while (!is_over) {
        for (int i = 0; i < n_ports; i++) {
            while (read_frame(i))
                for (int k = 0; k < n_ports; k++) write_due(&ports[k]);
            write_due(&ports[i]);
        }
        wait_for_work();
    }
    if (n_dropped) fprintf(stderr, "delay_link: %ld frames dropped\n", n_dropped);
}

/* A number of the command line, not negative; else -1. */
static double number(const char *text)
{
    char *end;
    const double value = strtod(text, &end);
    return *text && !*end && value >= 0 && value < 1e6 ? value : -1;
}

int main(int argc, char **argv)
{
    const double delay_us = argc > 4 ? number(argv[1]) : -1, mbit = argc > 4 ? number(argv[2]) : -1;
    if (delay_us < 0 || mbit < 0 || argc > 3 + PORTS) {
        fprintf(stderr, "delay_link: wants DELAY_US MBIT NAMESPACE... of 2 to %d namespaces\n", PORTS);
        return 2;
    }
    delay_ns = (int64_t)(1000 * delay_us);
    ns_per_byte = mbit > 0 ? 8000 / mbit : 0;
    for (; n_ports < argc - 3; n_ports++)
        if ((ports[n_ports].fd = open_port(argv[3 + n_ports], n_ports)) < 0) return 1;
    frames = mmap(NULL, SLOTS * sizeof *frames, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (frames == MAP_FAILED) return 1;
    for (int i = 0; i < SLOTS; i++) unused[n_unused++] = i;
    prctl(PR_SET_TIMERSLACK, 1L, 0L, 0L, 0L);
    if (sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){.sched_priority = 10}) != 0)
        fprintf(stderr, "delay_link: no real-time priority: delays are longer beside ranks that spin\n");
    struct sigaction action = {.sa_handler = on_end};
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    puts("ready");
    fflush(stdout);
    run();
    return 0;
}
