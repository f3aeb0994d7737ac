#include "host/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

void ww_words_add(ww_words *words, const char *word)
{
    ww_vec_push(words, ww_strdup(word));
}

void ww_words_add_all(ww_words *words, const char *const *list)
{
    for (; *list; list++)
        ww_words_add(words, *list);
}

void ww_words_free(ww_words *words)
{
    for (size_t i = 0; i < words->count; i++)
        free(words->items[i]);
    ww_vec_free(words);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Copies one word from `text` to `word` and returns what follows it; NULL when a quote has no
 * partner. */
static const char *split_word(const char *text, char *word)
{
    char quote = 0;
    for (; *text && (quote || !is_blank(*text)); text++) {
        if (quote && *text == quote)
            quote = 0;
        else if (!quote && (*text == '\'' || *text == '"'))
            quote = *text;
        else if (*text == '\\' && quote != '\'' && text[1] &&
                 (!quote || text[1] == '"' || text[1] == '\\'))
            *word++ = *++text;
        else
            *word++ = *text;
    }
    *word = 0;
    return quote ? NULL : text;
}

int ww_words_split(ww_words *words, const char *text, ww_where at, ww_errors *errors)
{
    char *word = ww_calloc(strlen(text) + 1, 1);
    int status = WW_OK;
    while (status == WW_OK) {
        while (is_blank(*text))
            text++;
        if (!*text)
            break;
        text = split_word(text, word);
        if (text)
            ww_words_add(words, word);
        else
            status = ww_fail(errors, WW_BAD_INPUT, at, "a quote in the options has no partner");
    }
    free(word);
    return status;
}

typedef struct stream {
    int fd; /* -1 at its end */
    char *bytes;
    size_t count;
    size_t capacity;
} stream;

static void read_some(stream *s)
{
    if (s->count + 4096 > s->capacity) {
        s->capacity = s->capacity * 2 + 65536;
        s->bytes = ww_realloc(s->bytes, s->capacity + 1, 1);
    }
    ssize_t got = read(s->fd, s->bytes + s->count, s->capacity - s->count);
    if (got > 0) {
        s->count += (size_t)got;
    } else if (got == 0 || errno != EINTR) {
        close(s->fd);
        s->fd = -1;
    }
}

/* Reads both to their ends; false when a signal came before. */
static bool read_both(stream *out, stream *err, int signals)
{
    while (out->fd >= 0 || err->fd >= 0) {
        struct pollfd fds[3] = {{out->fd, POLLIN, 0}, {err->fd, POLLIN, 0}, {signals, POLLIN, 0}};
        if (poll(fds, 3, -1) < 0)
            continue;
        if (fds[2].revents)
            return false;
        if (fds[0].revents)
            read_some(out);
        if (fds[1].revents)
            read_some(err);
    }
    return true;
}

static void close_stream(stream *s)
{
    if (s->fd >= 0)
        close(s->fd);
}

static char *finish(stream *s)
{
    if (!s->bytes)
        s->bytes = ww_calloc(1, 1);
    s->bytes[s->count] = 0;
    return s->bytes;
}

static char **make_argv(const ww_words *words)
{
    char **argv = ww_calloc(words->count + 1, sizeof(char *));
    for (size_t i = 0; i < words->count; i++)
        argv[i] = words->items[i];
    return argv;
}

static _Noreturn void become(char **argv, const ww_hold *hold, int out, int err)
{
    pthread_sigmask(SIG_SETMASK, &hold->before, NULL);
    int in = open("/dev/null", O_RDONLY);
    dup2(in, 0);
    dup2(out, 1);
    dup2(err, 2);
    execvp(argv[0], argv);
    dprintf(2, "cannot start: %s\n", strerror(errno));
    _exit(127);
}

static int wait_for(pid_t child)
{
    int state = 0;
    while (waitpid(child, &state, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
}

int ww_process_run(const ww_words *words, const ww_hold *hold, ww_process_result *result,
                   ww_errors *errors)
{
    *result = (ww_process_result){0};
    int out[2] = {-1, -1};
    int err[2] = {-1, -1};
    pid_t child = -1;
    char **argv = make_argv(words);
    if (pipe2(out, O_CLOEXEC) == 0 && pipe2(err, O_CLOEXEC) == 0)
        child = fork();
    if (child == 0)
        become(argv, hold, out[1], err[1]);
    int reason = errno;
    free(argv);
    close(out[1]);
    close(err[1]);
    if (child < 0) {
        close(out[0]);
        close(err[0]);
        return ww_fail(errors, WW_FAILED, WW_NOWHERE, "cannot start '%s': %s", words->items[0],
                       strerror(reason));
    }
    stream outputs[2] = {{out[0], NULL, 0, 0}, {err[0], NULL, 0, 0}};
    bool whole = read_both(&outputs[0], &outputs[1], hold->fd);
    close_stream(&outputs[0]);
    close_stream(&outputs[1]);
    if (!whole)
        kill(child, SIGTERM);
    result->status = wait_for(child);
    result->output = finish(&outputs[0]);
    result->output_size = outputs[0].count;
    result->messages = finish(&outputs[1]);
    if (whole && result->status != 128 + SIGINT)
        return WW_OK;
    return ww_fail(errors, WW_FAILED, WW_NOWHERE, "interrupted");
}

void ww_process_result_free(ww_process_result *result)
{
    free(result->output);
    free(result->messages);
    *result = (ww_process_result){0};
}

static bool is_executable(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

#define USUAL_PATH "/usr/local/bin:/usr/bin:/bin" /* where the environment has none */

char *ww_process_find(const char *name)
{
    if (strchr(name, '/'))
        return is_executable(name) ? ww_strdup(name) : NULL;
    const char *folders = getenv("PATH");
    if (!folders)
        folders = USUAL_PATH;
    while (folders && *folders) {
        size_t length = strcspn(folders, ":");
        char *path = ww_format("%.*s/%s", (int)length, folders, name);
        if (length > 0 && is_executable(path))
            return path;
        free(path);
        folders += length + (folders[length] == ':');
    }
    return NULL;
}
