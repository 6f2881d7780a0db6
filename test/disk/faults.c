/*
 * A disk that fails when it is told to: preloaded, it stands before the calls of libc that change files.
 *
 * FAULTS_PATH is how the paths begin that it looks at. FAULTS_CONTROL names a file of ten 64-bit integers, mapped
 * here and written by the test while the program runs:
 *
 *   0 error     errno to fail with; 0: nothing fails
 *   1 kind      1 writes, 2 syncs, 3 opening for writing
 *   2 first     which call of this kind fails, counted from 1 since `seen` was 0
 *   3 lasting   1: all from that one on; 0: that one alone
 *   4 torn      1: the first half of a failing write reaches the file
 *   5 seen      calls of this kind until now
 *   6 failed    how many of them failed
 *   7 at        when the first of them failed, in microseconds since the epoch
 *   8 delay     how long each sync takes in addition, in microseconds
 *   9 clock     how far the time of day of the program is ahead of the machine's, in microseconds
 *  10 back      writes of the main thread to the database itself after a failed sync
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { ERROR, KIND, FIRST, LASTING, TORN, SEEN, FAILED, AT, DELAY, CLOCK, BACK, WORDS };
enum { WRITE = 1, SYNC, OPEN };

static _Atomic int64_t *control;
static const char *watched;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void attach(void) {
  const char *path = getenv("FAULTS_CONTROL");
  watched = getenv("FAULTS_PATH");
  int fd = path && watched ? REAL(open)(path, O_RDWR) : -1;
  if (fd < 0) {
    static const char told[] = "faults: FAULTS_CONTROL and FAULTS_PATH are needed\n";
    if (write(2, told, sizeof told - 1) < 0) abort();
    abort();
  }
  control = mmap(0, WORDS * sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
}

static int is_watched(const char *path) { return strncmp(path, watched, strlen(watched)) == 0; }

static const char *path_of(int fd, char *path) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  path[length < 0 ? 0 : length] = 0;
  return path;
}

static int is_watched_file(int fd) {
  char path[PATH_MAX];
  return is_watched(path_of(fd, path));
}

/* A thread may still be writing back what it had begun to. */
static void count_written_back(int fd) {
  char path[PATH_MAX];
  if (!control || control[KIND] != SYNC || control[FAILED] == 0 || syscall(SYS_gettid) != getpid()) return;
  if (strcmp(path_of(fd, path), watched) == 0) control[BACK]++;
}

/* The error to fail with, or 0. */
static int fault(int kind) {
  if (!control || control[ERROR] == 0 || control[KIND] != kind) return 0;
  int64_t call = ++control[SEEN], first = control[FIRST];
  if (call < first || (call > first && !control[LASTING])) return 0;
  if (control[FAILED] == 0) {
    struct timespec now;
    REAL(clock_gettime)(CLOCK_REALTIME, &now);
    control[AT] = now.tv_sec * 1000000LL + now.tv_nsec / 1000;
  }
  control[FAILED]++;
  return (int)control[ERROR];
}

static int fault_of(int fd, int kind) { return is_watched_file(fd) ? fault(kind) : 0; }

#define FAIL(code) return errno = (code), -1

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) {
  int code = fault_of(fd, WRITE);
  count_written_back(fd);
  if (code && control[TORN]) REAL(pwrite64)(fd, bytes, count / 2, at);
  if (code) FAIL(code);
  return REAL(pwrite64)(fd, bytes, count, at);
}

ssize_t write(int fd, const void *bytes, size_t count) {
  int code = control ? fault_of(fd, WRITE) : 0;
  if (code && control[TORN] && REAL(write)(fd, bytes, count / 2) < 0) FAIL(code);
  if (code) FAIL(code);
  return REAL(write)(fd, bytes, count);
}

static void take_time(int fd) {
  if (control && control[DELAY] > 0 && is_watched_file(fd)) usleep((useconds_t)control[DELAY]);
}

int fsync(int fd) {
  take_time(fd);
  int code = fault_of(fd, SYNC);
  if (code) FAIL(code);
  return REAL(fsync)(fd);
}

int fdatasync(int fd) {
  take_time(fd);
  int code = fault_of(fd, SYNC);
  if (code) FAIL(code);
  return REAL(fdatasync)(fd);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  static __typeof__(&clock_gettime) real;
  if (!real) real = REAL(clock_gettime);
  int status = real(clock, now);
  if (status == 0 && control && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
    int64_t us = now->tv_sec * 1000000LL + now->tv_nsec / 1000 + control[CLOCK];
    now->tv_sec = us / 1000000;
    now->tv_nsec = us % 1000000 * 1000 + now->tv_nsec % 1000;
  }
  return status;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  struct timespec precise;
  (void)zone;
  int status = clock_gettime(CLOCK_REALTIME, &precise);
  now->tv_sec = precise.tv_sec;
  now->tv_usec = precise.tv_nsec / 1000;
  return status;
}

#define OPENS(name)                                                          \
  int name(const char *path, int flags, ...) {                              \
    va_list rest;                                                            \
    va_start(rest, flags);                                                   \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;  \
    va_end(rest);                                                            \
    int writes = (flags & O_ACCMODE) != O_RDONLY || (flags & O_CREAT);       \
    int code = control && writes && is_watched(path) ? fault(OPEN) : 0;      \
    if (code) FAIL(code);                                                    \
    return REAL(name)(path, flags, mode);                                    \
  }

OPENS(open)
OPENS(open64)
