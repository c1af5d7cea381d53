/* A tiny HTTP/1.1 server for tests: serves the files of one folder on 127.0.0.1, with faults on request. */
#pragma once

#include <sys/types.h>

typedef enum http_fault {
    HTTP_NONE,
    HTTP_NOT_FOUND,    /* 404 for everything */
    HTTP_BUSY_ONCE,    /* 503 to the first request */
    HTTP_STOP_ONCE,    /* the first answer breaks off half-way */
    HTTP_STOP,         /* every answer breaks off half-way of what it promised */
    HTTP_IGNORE_RANGE, /* 200 and the whole file, whatever was asked */
    HTTP_WRONG,        /* right size, other bytes */
    HTTP_HANG,         /* half of it, then silence */
    HTTP_DRIP,         /* half of it, then a byte every tenth of a second */
    HTTP_SLOW,         /* 4 KiB every half second */
} http_fault;

typedef struct http_server {
    pid_t pid;
    int port;
    const volatile int *n_requests; /* so far */
} http_server;

/* Start one in a process of its own; -1 in pid: it could not. It ends by itself after two minutes. */
http_server http_server_start(const char *folder, http_fault fault);
void http_server_stop(http_server *server);
