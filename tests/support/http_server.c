#define _GNU_SOURCE
#include "http_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LIFETIME_S = 120 };

static void send_text(int peer, const char *text)
{
    if (send(peer, text, strlen(text), MSG_NOSIGNAL) < 0) return;
}

static void rest(long milliseconds)
{
    const struct timespec time = {.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000};
    nanosleep(&time, NULL);
}

static void drip(int peer, FILE *file)
{
    for (int byte; (byte = getc(file)) != EOF; rest(100)) {
        char one = (char)byte;
        if (send(peer, &one, 1, MSG_NOSIGNAL) != 1) return;
    }
}

static void send_file(int peer, FILE *file, long first, long last, http_fault fault, int n_request)
{
    long n_left = last - first + 1;
    int stops =
        fault == HTTP_STOP || fault == HTTP_HANG || fault == HTTP_DRIP || (fault == HTTP_STOP_ONCE && n_request == 1);
    if (stops) n_left = (n_left + 1) / 2;
    fseek(file, first, SEEK_SET);
    while (n_left > 0) {
        char block[4096];
        size_t wanted = n_left < (long)sizeof block ? (size_t)n_left : sizeof block;
        size_t got = fread(block, 1, wanted, file);
        for (size_t i = 0; fault == HTTP_WRONG && i < got; i++) block[i] ^= 0x55;
        if (got == 0 || send(peer, block, got, MSG_NOSIGNAL) != (ssize_t)got) return;
        n_left -= (long)got;
        if (fault == HTTP_SLOW) rest(500);
    }
    if (fault == HTTP_DRIP) drip(peer, file);
    if (fault == HTTP_HANG) sleep(LIFETIME_S);
}

static void answer(int peer, const char *folder, http_fault fault, int n_request)
{
    char request[4096] = "", name[256] = "", path[4096], head[512];
    size_t n_bytes = 0;
    while (n_bytes < sizeof request - 1 && !strstr(request, "\r\n\r\n")) {
        ssize_t got = recv(peer, request + n_bytes, sizeof request - 1 - n_bytes, 0);
        if (got <= 0) return;
        n_bytes += (size_t)got;
        request[n_bytes] = 0;
    }
    sscanf(request, "GET /%255[^ ]", name);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fault == HTTP_NOT_FOUND ? NULL : fopen(path, "rb");
    struct stat about;
    if (fault == HTTP_BUSY_ONCE && n_request == 1)
        send_text(peer, "HTTP/1.1 503 Busy\r\nContent-Length: 4\r\nConnection: close\r\n\r\nbusy");
    else if (!file || fstat(fileno(file), &about) != 0)
        send_text(peer, "HTTP/1.1 404 Not Found\r\nContent-Length: 9\r\nConnection: close\r\n\r\nnot here\n");
    else {
        long first = 0, size = (long)about.st_size;
        const char *range = fault == HTTP_IGNORE_RANGE ? NULL : strcasestr(request, "\r\nRange: bytes=");
        if (range) first = strtol(range + strlen("\r\nRange: bytes="), NULL, 10);
        if (range && first >= size)
            snprintf(head, sizeof head, "HTTP/1.1 416 Range Not Satisfiable\r\nContent-Length: 0\r\n");
        else if (range)
            snprintf(head, sizeof head,
                     "HTTP/1.1 206 Partial\r\nContent-Range: bytes %ld-%ld/%ld\r\nContent-Length: %ld\r\n", first,
                     size - 1, size, size - first);
        else
            snprintf(head, sizeof head, "HTTP/1.1 200 OK\r\nContent-Length: %ld\r\n", size);
        send_text(peer, head);
        send_text(peer, "Connection: close\r\n\r\n");
        if (first < size) send_file(peer, file, first, size - 1, fault, n_request);
    }
    if (file) fclose(file);
}

http_server http_server_start(const char *folder, http_fault fault)
{
    http_server server = {.pid = -1};
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int *n_requests = mmap(NULL, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (n_requests == MAP_FAILED || fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof address) != 0 ||
        listen(fd, 8) != 0 || getsockname(fd, (struct sockaddr *)&address, &length) != 0)
        return server;
    server.n_requests = n_requests;
    server.port = ntohs(address.sin_port);
    server.pid = fork();
    if (server.pid == 0) {
        alarm(LIFETIME_S);
        for (;;) {
            int peer = accept(fd, NULL, NULL);
            if (peer < 0) continue;
            answer(peer, folder, fault, ++*n_requests);
            shutdown(peer, SHUT_WR);
            close(peer);
        }
    }
    close(fd);
    return server;
}

void http_server_stop(http_server *server)
{
    if (server->pid <= 0) return;
    kill(server->pid, SIGKILL);
    waitpid(server->pid, NULL, 0);
    munmap((void *)server->n_requests, sizeof(int));
    server->pid = -1;
}
