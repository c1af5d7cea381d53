/* One page for browsers on this machine: an HTTP/1.0 server of one address, one thread and one answer a connection. It
 * listens on 127.0.0.1 alone, answers GET and HEAD of "/", and refuses everything else: other methods (405), other
 * paths (404), hosts of other names, through which a foreign site could reach it (403), and what is no request (400).
 * Who is slow is hung up on. A library such as libmicrohttpd would bring TLS into a static program, for far more than
 * this.
 */
#ifndef SB_MATRIX_WATCH_SERVE_H
#define SB_MATRIX_WATCH_SERVE_H

#include "core/status.h"

#include <stddef.h>

/* Makes the page anew; *text from malloc. */
typedef sb_status sb_serve_page(void *context, char **text, size_t *n_bytes);

/* Serve on the port (0: a free one) until SIGINT or SIGTERM, which is SB_OK; the address goes to stdout. SB_E_IO: the
 * port is taken. */
sb_status sb_serve(long port, sb_serve_page *page, void *context);

#endif
