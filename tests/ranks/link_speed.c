/* link_speed SERVER_NAMESPACE NAMESPACE ADDRESS: what a network between two namespaces does, by TCP, as CSV: round trips of
 * 64 bytes, in microseconds (median, and 1st and 99th percentile of 2,000), and megabytes a second of a stream of 256 MB:
 *
 *     rtt_us,rtt_us_1,rtt_us_99,mb_s
 *
 * The two ends are two processes; the server's is a child, which ends with its parent. Needs root. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum { PORT = 7777, MESSAGE = 64, TRIPS = 2000, BLOCK = 1 << 18, BLOCKS = 1024 };

static char block[BLOCK];

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void check(int ok, const char *what)
{
    if (ok) return;
    perror(what);
    exit(1);
}

static void enter(const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "/run/netns/%s", name);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    check(fd >= 0 && setns(fd, CLONE_NEWNET) == 0, path);
    close(fd);
}

static void take(int fd, size_t n)
{
    for (size_t got = 0; got < n;) {
        const ssize_t more = read(fd, block, n - got < BLOCK ? n - got : BLOCK);
        check(more > 0, "read");
        got += (size_t)more;
    }
}

static void give(int fd, size_t n)
{
    for (size_t given = 0; given < n;) {
        const ssize_t more = write(fd, block, n - given);
        check(more > 0, "write");
        given += (size_t)more;
    }
}

static void set_no_delay(int fd)
{
    check(setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int)) == 0, "TCP_NODELAY");
}

/* Sends each message back, then takes the stream and says one word. */
static void serve(int listening)
{
    const int fd = accept(listening, NULL, NULL);
    check(fd >= 0, "accept");
    set_no_delay(fd);
    for (int i = 0; i < TRIPS; i++) take(fd, MESSAGE), give(fd, MESSAGE);
    take(fd, (size_t)BLOCK * BLOCKS);
    give(fd, MESSAGE);
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void ask(int fd)
{
    static double trip[TRIPS];
    set_no_delay(fd);
    for (int i = 0; i < TRIPS; i++) {
        const double began = seconds();
        give(fd, MESSAGE), take(fd, MESSAGE);
        trip[i] = 1e6 * (seconds() - began);
    }
    qsort(trip, TRIPS, sizeof *trip, by_size);
    const double began = seconds();
    for (int i = 0; i < BLOCKS; i++) give(fd, BLOCK);
    take(fd, MESSAGE);
    const double mb_s = 1e-6 * BLOCK * BLOCKS / (seconds() - began);
    printf("rtt_us,rtt_us_1,rtt_us_99,mb_s\n%.1f,%.1f,%.1f,%.0f\n", trip[TRIPS / 2], trip[TRIPS / 100],
           trip[TRIPS - TRIPS / 100], mb_s);
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "link_speed: wants SERVER_NAMESPACE NAMESPACE ADDRESS\n");
        return 2;
    }
    const struct sockaddr_in any = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    struct sockaddr_in there = any;
    check(inet_pton(AF_INET, argv[3], &there.sin_addr) == 1, argv[3]);
    enter(argv[1]);
    const int listening = socket(AF_INET, SOCK_STREAM, 0);
    check(setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int)) == 0, "SO_REUSEADDR");
    check(bind(listening, (const void *)&any, sizeof any) == 0 && listen(listening, 1) == 0, "listen");
    if (fork() == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        serve(listening);
        return 0;
    }
    enter(argv[2]);
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    check(connect(fd, (const void *)&there, sizeof there) == 0, "connect");
    ask(fd);
    return 0;
}
