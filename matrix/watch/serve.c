#define _GNU_SOURCE /* accept4 */
#include "matrix/watch/serve.h"

#include "core/machine/clock.h"
#include "core/machine/interrupt.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

enum { REQUEST_BYTES = 8192 };
static const double patience = 2; /* seconds for a request, and for taking the answer */

/* -- the socket -- */

static sb_status listen_on(int *fd, long *port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)*port)};
    socklen_t size = sizeof address;
    const int yes = 1;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    *fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (*fd < 0) return sb_fail(SB_E_IO, "a socket: %s", strerror(errno));
    setsockopt(*fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(*fd, (struct sockaddr *)&address, size) != 0 || listen(*fd, 8) != 0 ||
        getsockname(*fd, (struct sockaddr *)&address, &size) != 0) {
        sb_status status = sb_fail(SB_E_IO, "127.0.0.1:%ld: %s; --serve 0 takes a free port", *port, strerror(errno));
        close(*fd);
        return status;
    }
    *port = ntohs(address.sin_port);
    return SB_OK;
}

/* Is the peer ready within what is left until the deadline? */
static bool wait_for(int peer, short event, double deadline)
{
    struct pollfd ready = {.fd = peer, .events = event};
    const double left = deadline - sb_clock_seconds();
    return left > 0 && !sb_interrupt_signal() && poll(&ready, 1, (int)(left * 1000) + 1) == 1;
}

/* -- one request -- */

/* The head of the request, up to its empty line; false: there is none in time, or it is too long. */
static bool receive(int peer, char request[REQUEST_BYTES])
{
    const double deadline = sb_clock_seconds() + patience;
    size_t used = 0;
    while (used < REQUEST_BYTES - 1 && wait_for(peer, POLLIN, deadline)) {
        const ssize_t n = recv(peer, request + used, REQUEST_BYTES - 1 - used, 0);
        if (n <= 0) return false;
        used += (size_t)n;
        request[used] = 0;
        if (strlen(request) < used) return false; /* a zero byte */
        if (strstr(request, "\r\n\r\n") || strstr(request, "\n\n")) return true;
    }
    return false;
}

static void send_all(int peer, const char *text, size_t n_bytes)
{
    const double deadline = sb_clock_seconds() + patience;
    while (n_bytes && wait_for(peer, POLLOUT, deadline)) {
        const ssize_t n = send(peer, text, n_bytes, MSG_NOSIGNAL);
        if (n <= 0) return;
        text += n;
        n_bytes -= (size_t)n;
    }
}

/* Is the Host that the request names this machine, by its number or as localhost? A browser that was led here by
 * another site's name says that name. None, as in HTTP/1.0, is fine: no browser does that. */
static bool is_own_host(const char *request)
{
    static const char *const own[] = {"127.0.0.1", "localhost"};
    for (const char *line = strchr(request, '\n'); line; line = strchr(line + 1, '\n')) {
        if (strncasecmp(line + 1, "Host:", 5) != 0) continue;
        const char *host = line + 6 + strspn(line + 6, " \t");
        const size_t length = strcspn(host, ":\r\n \t");
        for (int i = 0; i < 2; i++)
            if (strlen(own[i]) == length && strncasecmp(host, own[i], length) == 0) return true;
        return false;
    }
    return true;
}

/* "200 OK" or why not; *head: the answer is without its body. */
static const char *judge(const char *request, bool *head)
{
    char method[16], path[16], version[16];
    *head = false;
    if (sscanf(request, "%15[A-Z] %15[^ \r\n] %15[^ \r\n]", method, path, version) != 3 ||
        strncmp(version, "HTTP/1.", 7) != 0)
        return strncmp(request, "GET /", 5) == 0 ? "404 Not Found" : "400 Bad Request";
    *head = strcmp(method, "HEAD") == 0;
    if (strcmp(method, "GET") != 0 && !*head) return "405 Method Not Allowed";
    if (!is_own_host(request)) return "403 Forbidden";
    return strcmp(path, "/") == 0 ? "200 OK" : "404 Not Found";
}

static sb_status answer(int peer, const char *request, sb_serve_page *page, void *context)
{
    char head[512], *text = NULL;
    bool only_head;
    size_t n_text = 0;
    const char *verdict = judge(request, &only_head);
    const bool found = strncmp(verdict, "200", 3) == 0;
    if (found) SB_TRY(page(context, &text, &n_text));
    const char *body = found ? text : verdict;
    if (!found) n_text = strlen(verdict);
    snprintf(head, sizeof head,
             "HTTP/1.0 %s\r\nContent-Type: text/%s; charset=utf-8\r\nContent-Length: %zu\r\nConnection: close\r\n"
             "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
             "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'\r\n%s\r\n",
             verdict, found ? "html" : "plain", n_text, strncmp(verdict, "405", 3) ? "" : "Allow: GET, HEAD\r\n");
    send_all(peer, head, strlen(head));
    if (!only_head) send_all(peer, body, n_text);
    free(text);
    return SB_OK;
}

/* What the peer still says is read and dropped for a moment, or the system would take back the answer, too. */
static void part_from(int peer)
{
    char dropped[4096];
    const double deadline = sb_clock_seconds() + 0.2;
    shutdown(peer, SHUT_WR);
    while (wait_for(peer, POLLIN, deadline) && recv(peer, dropped, sizeof dropped, 0) > 0) continue;
    close(peer);
}

static sb_status serve_one(int fd, sb_serve_page *page, void *context)
{
    char request[REQUEST_BYTES] = "";
    const int peer = accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (peer < 0) return SB_OK; /* it has gone */
    sb_status status = SB_OK;
    if (receive(peer, request) || *request) status = answer(peer, request, page, context);
    part_from(peer);
    return status;
}

sb_status sb_serve(long port, sb_serve_page *page, void *context)
{
    int fd;
    sb_status status = listen_on(&fd, &port);
    if (status != SB_OK) return status;
    printf("http://127.0.0.1:%ld/\n", port);
    fflush(stdout);
    while (status == SB_OK && !sb_interrupt_signal())
        if (wait_for(fd, POLLIN, sb_clock_seconds() + 1)) status = serve_one(fd, page, context);
    close(fd);
    return status;
}
