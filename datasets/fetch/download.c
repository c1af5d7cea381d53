#include "datasets/fetch/fetch.h"

#include "core/file.h"
#include "core/machine/clock.h"
#include "core/machine/interrupt.h"
#include "core/screen/progress.h"

#include <curl/curl.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { CONNECT_TIMEOUT_S = 15, HTTP_RANGE_NOT_SATISFIABLE = 416 };

typedef struct transfer {
    sb_download *download;
    CURL *curl;
    sb_progress progress;
    int64_t n_before;    /* bytes there when it began */
    int64_t n_shown;     /* bytes when progress was last told */
    double last_arrival; /* when something last arrived, sb_clock_seconds */
    bool is_silent;      /* given up because nothing did */
    double span_began;   /* of timeout_s, over which the rate is taken; 0: nothing arrived yet */
    int64_t n_at_span;   /* bytes there when it began */
    bool is_slow;        /* given up because too little arrived */
    bool other_size;     /* the server's file has another size */
    int64_t n_offered;   /* and this is it */
    int write_error;     /* errno */
} transfer;

/* The size the server gives for the whole file must be the one expected: asked at its first bytes, not after its last.
 */
static bool has_expected_size(transfer *t)
{
    curl_off_t length = -1;
    curl_easy_getinfo(t->curl, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
    if (length < 0) return true;
    t->n_offered = length + t->download->n_there;
    return t->n_offered == t->download->n_wanted;
}

static size_t on_bytes(char *bytes, size_t one, size_t n_bytes, void *context)
{
    transfer *t = context;
    sb_download *download = t->download;
    (void)one;
    if (t->n_offered == 0 && !has_expected_size(t)) t->other_size = true;
    if (t->n_offered == 0) t->n_offered = -1; /* asked, and the server does not say */
    if (download->n_there + (int64_t)n_bytes > download->n_wanted) t->other_size = true;
    if (t->other_size) return 0;
    if (fwrite(bytes, 1, n_bytes, download->file) != n_bytes) {
        t->write_error = errno;
        return 0;
    }
    sb_sha256_add(download->hash, bytes, n_bytes);
    download->n_there += (int64_t)n_bytes;
    return n_bytes;
}

/* At least the least rate over each span, one after the other from the first byte on. */
static bool is_slow(transfer *t, double now)
{
    const sb_download *download = t->download;
    double seconds = now - t->span_began;
    if (t->span_began > 0 && seconds < download->timeout_s) return false;
    bool slow = t->span_began > 0 && (double)(download->n_there - t->n_at_span) < download->least_rate * seconds;
    t->span_began = t->last_arrival;
    t->n_at_span = download->n_there;
    return slow;
}

static int on_progress(void *context, curl_off_t n_total, curl_off_t n_now, curl_off_t up_total, curl_off_t up_now)
{
    transfer *t = context;
    (void)n_total, (void)n_now, (void)up_total, (void)up_now;
    double now = sb_clock_seconds();
    if (t->download->n_there > t->n_shown) {
        sb_progress_show(&t->progress, (double)t->download->n_there / 1000, "kB  %s", t->download->url);
        t->n_shown = t->download->n_there;
        t->last_arrival = now;
    }
    t->is_silent = now - t->last_arrival > t->download->timeout_s;
    if (t->n_shown > t->n_before) t->is_slow = is_slow(t, now);
    return t->is_silent || t->is_slow || sb_interrupt_signal() != 0;
}

/* Whom to trust, where a company's proxy signs with a certificate of its own: the variables of the curl command, which
 * the library itself does not look at. */
static CURLcode trust_named(CURL *curl)
{
    const char *bundle = getenv("CURL_CA_BUNDLE");
    const bool is_named = bundle && *bundle;
    const char *file = is_named ? bundle : getenv("SSL_CERT_FILE");
    const char *folder = is_named ? NULL : getenv("SSL_CERT_DIR");
    CURLcode code = CURLE_OK;
    if (file && *file) code = curl_easy_setopt(curl, CURLOPT_CAINFO, file);
    if (!code && folder && *folder) code = curl_easy_setopt(curl, CURLOPT_CAPATH, folder);
    return code;
}

/* An option that this libcurl does not take would leave a transfer without its limits. */
static CURLcode set_limits(CURL *curl)
{
    CURLcode code = curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https,file");
    if (!code) code = curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
    if (!code) code = curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L);
    if (!code) code = curl_easy_setopt(curl, CURLOPT_MAXREDIRS, 5L);
    if (!code) code = curl_easy_setopt(curl, CURLOPT_FAILONERROR, 1L); /* a page "not found" is not the file */
    if (!code) code = curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    if (!code) code = curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_TIMEOUT_S);
    return code;
}

static CURLcode set_up(transfer *t, char *why)
{
    CURL *curl = t->curl;
    CURLcode code = set_limits(curl);
    if (!code) code = curl_easy_setopt(curl, CURLOPT_URL, t->download->url);
    if (!code) code = curl_easy_setopt(curl, CURLOPT_RESUME_FROM_LARGE, (curl_off_t)t->download->n_there);
    if (!code) code = curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_bytes);
    if (!code) code = curl_easy_setopt(curl, CURLOPT_WRITEDATA, t);
    if (!code) code = curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
    if (!code) code = curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, on_progress);
    if (!code) code = curl_easy_setopt(curl, CURLOPT_XFERINFODATA, t);
    if (!code) code = curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, why);
    if (!code) code = trust_named(curl);
    return code;
}

static sb_download_end ended(sb_download_end end, sb_status *status, sb_status why)
{
    *status = why;
    return end;
}

/* Answers that a later attempt may find changed: too many requests, and the server's own troubles. */
static bool is_passing_answer(long answer)
{
    return answer == 408 || answer == 425 || answer == 429 || answer >= 500;
}

static sb_download_end judge_answer(const char *url, long answer, sb_status *status)
{
    const char *words = answer == 404   ? " (not found)"
                        : answer == 403 ? " (forbidden)"
                        : answer == 410 ? " (gone)"
                        : answer >= 500 ? " (the server's own error)"
                                        : "";
    *status = sb_fail(SB_E_IO, "%s: the server answers %ld%s", url, answer, words);
    return is_passing_answer(answer) ? SB_DOWNLOAD_AGAIN : SB_DOWNLOAD_NOT_HERE;
}

static sb_download_end judge(const transfer *t, CURLcode code, const char *why, sb_status *status)
{
    const sb_download *download = t->download;
    const char *url = download->url;
    long answer = 0;
    curl_easy_getinfo(t->curl, CURLINFO_RESPONSE_CODE, &answer);
    if (t->write_error)
        return ended(SB_DOWNLOAD_STOP, status,
                     sb_fail(SB_E_IO, "%s: cannot be written: %s", download->path, strerror(t->write_error)));
    if (t->other_size && t->n_offered > 0)
        return ended(SB_DOWNLOAD_WRONG, status,
                     sb_fail(SB_E_INTEGRITY, "%s: offers %lld bytes, %lld expected: another file", url,
                             (long long)t->n_offered, (long long)download->n_wanted));
    if (t->other_size || answer == HTTP_RANGE_NOT_SATISFIABLE || code == CURLE_BAD_DOWNLOAD_RESUME)
        return ended(SB_DOWNLOAD_WRONG, status,
                     sb_fail(SB_E_INTEGRITY, "%s: %s than the %lld bytes expected: another file", url,
                             t->other_size ? "longer" : "shorter", (long long)download->n_wanted));
    switch (code) {
    case CURLE_OK:
        if (download->n_there == download->n_wanted) return ended(SB_DOWNLOAD_DONE, status, SB_OK);
        break;
    case CURLE_ABORTED_BY_CALLBACK:
        if (t->is_slow && !sb_interrupt_signal())
            return ended(SB_DOWNLOAD_AGAIN, status,
                         sb_fail(SB_E_IO,
                                 "%s: less than %.0f bytes a second over %.0f s; given up after %lld of %lld bytes",
                                 url, download->least_rate, download->timeout_s, (long long)download->n_there,
                                 (long long)download->n_wanted));
        if (t->is_silent && !sb_interrupt_signal()) break;
        return ended(SB_DOWNLOAD_STOP, status,
                     sb_fail(SB_E_INTERRUPTED,
                             "%s: interrupted after %lld of %lld bytes; the same command "
                             "continues",
                             url, (long long)download->n_there, (long long)download->n_wanted));
    case CURLE_RANGE_ERROR:
        return ended(SB_DOWNLOAD_RESTART, status, sb_fail(SB_E_IO, "%s: the server cannot continue a download", url));
    case CURLE_HTTP_RETURNED_ERROR:
        return judge_answer(url, answer, status);
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_FILE_COULDNT_READ_FILE:
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_TOO_MANY_REDIRECTS:
        return ended(SB_DOWNLOAD_NOT_HERE, status, sb_fail(SB_E_IO, "%s: %s", url, why));
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
        return ended(SB_DOWNLOAD_NOT_HERE, status,
                     sb_fail(SB_E_IO,
                             "%s: %s; CURL_CA_BUNDLE or SSL_CERT_FILE can name a file of certificates to trust", url,
                             why));
    case CURLE_PARTIAL_FILE:
        break;
    default:
        return ended(SB_DOWNLOAD_AGAIN, status, sb_fail(SB_E_IO, "%s: %s", url, why));
    }
    return ended(SB_DOWNLOAD_AGAIN, status,
                 sb_fail(SB_E_IO, "%s: the server stopped after %lld of %lld bytes", url, (long long)download->n_there,
                         (long long)download->n_wanted));
}

sb_download_end sb_download_run(sb_download *download, sb_status *status)
{
    char why[CURL_ERROR_SIZE] = "";
    transfer t = {.download = download,
                  .n_before = download->n_there,
                  .n_shown = download->n_there,
                  .last_arrival = sb_clock_seconds()};
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) /* counts its calls; matched below */
        return ended(SB_DOWNLOAD_STOP, status, sb_fail(SB_E_IO, "%s: libcurl cannot be started", download->url));
    t.curl = curl_easy_init();
    if (!t.curl) {
        curl_global_cleanup();
        return ended(SB_DOWNLOAD_STOP, status, sb_fail(SB_E_MEMORY, "%s: not enough memory", download->url));
    }
    CURLcode code = set_up(&t, why);
    t.progress = sb_progress_begin("fetch", (double)download->n_wanted / 1000);
    if (!code) code = curl_easy_perform(t.curl);
    sb_progress_end(&t.progress);
    if (fflush(download->file) != 0 && !t.write_error) t.write_error = errno;
    sb_download_end end = judge(&t, code, *why ? why : curl_easy_strerror(code), status);
    curl_easy_cleanup(t.curl);
    curl_global_cleanup();
    return end;
}

/* A folder's path with everything but plain characters and slashes written as %XX. */
static void append_escaped(char *url, size_t size, const char *path)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
    size_t used = strlen(url);
    for (; *path && used + 4 <= size; path++)
        used += (size_t)snprintf(url + used, size - used, strchr(plain, *path) ? "%c" : "%%%02X", (unsigned char)*path);
}

sb_status sb_download_address(const char *mirror, const char *name, char *url, size_t size)
{
    if (strstr(mirror, "://")) {
        bool slash = mirror[strlen(mirror) - 1] == '/';
        int length = snprintf(url, size, "%s%s%s", mirror, slash ? "" : "/", name);
        return (size_t)length < size ? SB_OK : sb_fail(SB_E_USAGE, "%.60s...: address too long", mirror);
    }
    char *folder = realpath(mirror, NULL);
    if (!folder) return sb_fail(SB_E_USAGE, "%s: %s", mirror, strerror(errno));
    snprintf(url, size, "file://");
    append_escaped(url, size, folder);
    free(folder);
    append_escaped(url, size, "/");
    append_escaped(url, size, name);
    return strlen(url) + 4 < size ? SB_OK : sb_file_too_long(mirror);
}
