// Messages, colours, signals and the end of standard output.
#include "support/cli.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <mujoco/mujoco.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "support/plain.h"

// -------------------------------------------------------------------------------------------- messages

static const CliStyle plainStyle = {"", "", "", "", "", ""};
static const CliStyle colourStyle = {"\033[1m", "\033[2m", "\033[1;31m", "\033[1;33m", "\033[32m", "\033[0m"};

// the folder, and what is in its place
int cli_checkWritable(const char* path) {
  struct stat info;
  if (strcmp(path, "-") == 0) return CLI_OK;
  errno = 0;
  if (!stat(path, &info)) {
    if (S_ISDIR(info.st_mode)) {
      errno = EISDIR;
    } else if (!access(path, W_OK)) {
      return CLI_OK;
    }
  } else {
    const char* const slash = strrchr(path, '/');
    char* const folder = strndup(path, slash ? (size_t)(slash - path + 1) : 0);
    const int bad = access(*folder ? folder : ".", W_OK | X_OK);
    free(folder);
    if (!bad) return CLI_OK;
  }
  return cli_fail(CLI_OUTPUT, "cannot write '%s': %s", path, strerror(errno));
}

const CliStyle* cli_style(FILE* stream) {
  const char* const term = getenv("TERM");
  const char* const no = getenv("NO_COLOR");
  const int colour = isatty(fileno(stream)) && !(no && *no) && term && strcmp(term, "dumb") != 0;
  return colour ? &colourStyle : &plainStyle;
}

int cli_utf8(void) {
  return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

int cli_fail(int code, const char* format, ...) {
  const CliStyle* const style = cli_style(stderr);
  fflush(stdout);
  fprintf(stderr, "sinew: %serror:%s ", style->red, style->reset);
  va_list args;
  va_start(args, format);
  cli_putPlainV(stderr, format, args);
  va_end(args);
  fputc('\n', stderr);
  return code;
}

void cli_hint(const char* format, ...) {
  fputs("  ", stderr);
  va_list args;
  va_start(args, format);
  cli_putPlainV(stderr, format, args);
  va_end(args);
  fputc('\n', stderr);
}

// -------------------------------------------------------------------------------------------- memory, names, files

void* cli_resize(void* memory, size_t n, size_t size) {
  void* const more = reallocarray(memory, n ? n : 1, size);
  if (!more) exit(cli_fail(CLI_FAILED, "out of memory"));
  return more;
}

void* cli_zeroed(size_t n, size_t size) {
  void* const memory = calloc(n ? n : 1, size);
  if (!memory) exit(cli_fail(CLI_FAILED, "out of memory"));
  return memory;
}

int cli_hasSuffix(const char* path, const char* suffix) {
  const size_t n = strlen(path), k = strlen(suffix);
  return n > k && strcasecmp(path + n - k, suffix) == 0;
}

int cli_writeFile(const char* path, const void* bytes, size_t size) {
  FILE* const file = strcmp(path, "-") == 0 ? stdout : fopen(path, "wb");
  if (!file) return cli_fail(CLI_OUTPUT, "cannot write '%s': %s", path, strerror(errno));
  errno = 0;
  int bad = fwrite(bytes, 1, size, file) != size;
  bad |= fflush(file) != 0;
  const int reason = errno;
  if (file != stdout) bad |= fclose(file) != 0;
  if (bad && reason == EPIPE) return CLI_PIPE;
  return bad ? cli_fail(CLI_OUTPUT, "cannot write '%s': %s", path, strerror(reason ? reason : EIO)) : CLI_OK;
}

// -------------------------------------------------------------------------------------------- library handlers

enum { MAX_WARNINGS = 32, WARNING_SIZE = 512 };
static char warnings[MAX_WARNINGS][WARNING_SIZE];
static int nwarning;
static char lastWarning[WARNING_SIZE];

int cli_nwarning(void) {
  return nwarning;
}

const char* cli_warning(int i) {
  return warnings[i];
}

const char* cli_lastWarning(void) {
  return lastWarning;
}

void cli_clearWarnings(void) {
  nwarning = 0;
  lastWarning[0] = 0;
}

static void collectWarning(const char* message) {
  snprintf(lastWarning, sizeof(lastWarning), "%s", message);
  cli_plain(lastWarning, 1);
  for (int i = 0; i < nwarning; i++) {
    if (strcmp(warnings[i], lastWarning) == 0) return;
  }
  if (nwarning < MAX_WARNINGS) memcpy(warnings[nwarning++], lastWarning, sizeof(lastWarning));
}

// errors of calls that have no status variant: nothing can be saved any more, but the exit code tells
static void endWithError(const char* message) {
  exit(cli_fail(CLI_FAILED, "%s", message));
}

// -------------------------------------------------------------------------------------------- signals

static volatile sig_atomic_t interrupted;

static void onInterrupt(int number) {
  (void)number;
  interrupted = 1;
}

int cli_interrupted(void) {
  return interrupted;
}

void cli_catchInterrupt(void) {
  struct sigaction action = {.sa_handler = onInterrupt, .sa_flags = (int)SA_RESETHAND};
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}

// -------------------------------------------------------------------------------------------- start and end

void cli_start(void) {
  // characters follow the user's locale, numbers never do
  setlocale(LC_CTYPE, "");
  // a closed pipe is an error of the write that meets it, so that other files are still completed
  signal(SIGPIPE, SIG_IGN);
  mju_user_warning = collectWarning;
  mju_user_error = endWithError;
}

static int pipeClosed(void) {
  struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
  return poll(&out, 1, 0) > 0 && (out.revents & POLLERR);
}

int cli_finish(int code) {
  errno = 0;
  const int failed = fflush(stdout) || ferror(stdout);
  if (!failed) return code;
  // the reader had enough: not worth a message
  if (errno == EPIPE || pipeClosed()) return CLI_PIPE;
  return cli_fail(CLI_OUTPUT, "cannot write to standard output: %s", strerror(errno ? errno : EIO));
}

double cli_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
