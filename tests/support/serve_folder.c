/* serve_folder FOLDER PORT_FILE [FAULT]: the test server as a program. Writes its port into a file once it listens.
 * FAULT is one of none, not-found, busy-once, stop-once, stop, ignore-range, wrong, hang, drip, slow. */
#include "http_server.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const faults[] = {"none", "not-found",    "busy-once", "stop-once",
                                     "stop", "ignore-range", "wrong",     "hang",
                                     "drip", "slow"};

static volatile sig_atomic_t server_pid;

static void on_end(int number)
{
    if (server_pid > 0) kill(server_pid, SIGKILL);
    _exit(128 + number);
}

int main(int argc, char **argv)
{
    if (argc < 3) return 2;
    int fault = -1;
    for (int i = 0; i < (int)(sizeof faults / sizeof *faults); i++)
        if (strcmp(argc > 3 ? argv[3] : "none", faults[i]) == 0) fault = i;
    http_server server = fault < 0 ? (http_server){.pid = -1} : http_server_start(argv[1], (http_fault)fault);
    if (server.pid < 0) return 1;
    server_pid = server.pid;
    signal(SIGTERM, on_end);
    char unfinished[4096];
    snprintf(unfinished, sizeof unfinished, "%s.part", argv[2]);
    FILE *file = fopen(unfinished, "w");
    if (!file || fprintf(file, "%d\n", server.port) < 0 || fclose(file) != 0 || rename(unfinished, argv[2]) != 0)
        on_end(SIGTERM);
    waitpid(server.pid, NULL, 0);
    return 0;
}
