/*
 * Records what a program does to the files of a database: preloaded, it stands before the calls of libc that change or sync
 * files, and appends one record for each to a log. Several processes may share a log: it is in one order for all of them.
 *
 * RECORDER_PATH is how the paths begin that it looks at; its folder is looked at too, but for syncs only. RECORDER_LOG names
 * the log. A sync takes up to RECORDER_SYNC_US microseconds longer, as on a slower disk. While the file RECORDER_FAILING
 * exists, its text is the path of a file whose next sync fails, once: it is then removed.
 *
 * A record is a header, the path, and the data. A write is recorded once it is done, and a sync when it begins and once it
 * is done, before the program can know; so what the program does next, in whichever process, comes later in the log.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { WRITE = 1, TRUNCATE, SYNC_BEGINS, SYNC_ENDS, RENAME, UNLINK };

/* log.ts reads it. */
struct header {
  uint32_t size;      /* of the whole record */
  uint8_t kind;       /* from 7 on the records are not of this file */
  uint8_t is_main;    /* whether the main thread called */
  uint16_t path_size;
  uint32_t process;
  uint32_t thread;
  int64_t at;         /* where the data is written, the new size, or the result of a sync */
};

static int file = -1;
static const char *watched, *failing;
static size_t folder_size;
static unsigned delay_us;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void attach(void) {
  const char *path = getenv("RECORDER_LOG"), *delay = getenv("RECORDER_SYNC_US");
  watched = getenv("RECORDER_PATH");
  failing = getenv("RECORDER_FAILING");
  if (!path || !watched || !strrchr(watched, '/')) abort();
  folder_size = strrchr(watched, '/') - watched;
  delay_us = delay ? atoi(delay) : 0;
  file = REAL(open)(path, O_WRONLY | O_APPEND | O_CLOEXEC);
  if (file < 0) abort();
}

static void record(int kind, const char *path, int64_t at, const void *data, size_t count) {
  int code = errno;
  size_t path_size = strlen(path);
  uint32_t thread = syscall(SYS_gettid), process = getpid();
  struct header header = {sizeof header + path_size + count, kind, thread == process, path_size, process, thread, at};
  struct iovec parts[] = {{&header, sizeof header}, {(void *)path, path_size}, {(void *)data, count}};
  if (REAL(writev)(file, parts, 3) != header.size) abort(); /* an incomplete log would prove nothing */
  errno = code;
}

/* The index of the WAL is in shared memory, which no power cut survives. */
static int is_watched(const char *path) {
  size_t size = strlen(path);
  return strncmp(path, watched, strlen(watched)) == 0 && strcmp(path + size - 4, "-shm") != 0;
}

static int is_folder(const char *path) {
  return strlen(path) == folder_size && strncmp(path, watched, folder_size) == 0;
}

static const char *path_of(int fd, char *path) {
  char link[64];
  int code = errno;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t size = readlink(link, path, PATH_MAX - 1);
  path[size < 0 ? 0 : size] = 0;
  errno = code;
  return path;
}

static const char *absolute(int folder, const char *name, char *path) {
  char start[PATH_MAX];
  if (name[0] == '/') return name;
  if (folder == AT_FDCWD) {
    if (!getcwd(start, sizeof start)) abort();
  } else {
    path_of(folder, start);
  }
  if (snprintf(path, PATH_MAX, "%s/%s", start, name) >= PATH_MAX) abort();
  return path;
}

static void recorded_write(int fd, const void *bytes, ssize_t count, int64_t at) {
  char path[PATH_MAX];
  if (file < 0 || fd == file || count <= 0 || !is_watched(path_of(fd, path))) return;
  record(WRITE, path, at < 0 ? lseek(fd, 0, SEEK_CUR) - count : at, bytes, count);
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) {
  ssize_t written = REAL(pwrite64)(fd, bytes, count, at);
  recorded_write(fd, bytes, written, at);
  return written;
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) { return pwrite64(fd, bytes, count, at); }

ssize_t write(int fd, const void *bytes, size_t count) {
  ssize_t written = REAL(write)(fd, bytes, count);
  recorded_write(fd, bytes, written, -1);
  return written;
}

/*
 * Bun's own writes are system calls that cannot be seen here. It writes small files, whole, and gives them their names; and a
 * start writes the WAL over itself before its main thread syncs it.
 */
static void record_content(const char *path) {
  char bytes[65536];
  int fd = REAL(open)(path, O_RDONLY | O_CLOEXEC);
  off_t at = 0;
  for (ssize_t count; fd >= 0 && (count = read(fd, bytes, sizeof bytes)) > 0; at += count)
    record(WRITE, path, at, bytes, count);
  if (fd >= 0) close(fd);
}

static int is_written_by_bun(const char *path) { return strstr(path, ".partial-") != 0; }

static int is_wal(const char *path) { return strcmp(path + strlen(path) - 4, "-wal") == 0; }

/* Nobody writes the files of a database in these ways. */
#define NOT_RECORDED(name, ...)                                        \
  do {                                                                 \
    char path[PATH_MAX];                                               \
    if (file >= 0 && fd != file && is_watched(path_of(fd, path))) abort(); \
    return REAL(name)(fd, __VA_ARGS__);                                \
  } while (0)

ssize_t writev(int fd, const struct iovec *parts, int count) { NOT_RECORDED(writev, parts, count); }

int fallocate(int fd, int mode, off_t at, off_t count) { NOT_RECORDED(fallocate, mode, at, count); }

int ftruncate64(int fd, off64_t size) {
  char path[PATH_MAX];
  int result = REAL(ftruncate64)(fd, size);
  if (result == 0 && file >= 0 && is_watched(path_of(fd, path))) record(TRUNCATE, path, size, 0, 0);
  return result;
}

int ftruncate(int fd, off_t size) { return ftruncate64(fd, size); }

static int is_to_fail(const char *path) {
  char named[PATH_MAX];
  int fd = failing ? REAL(open)(failing, O_RDONLY | O_CLOEXEC) : -1;
  if (fd < 0) return 0;
  ssize_t count = read(fd, named, sizeof named - 1);
  close(fd);
  if (count < 0) abort();
  named[count] = 0;
  return strcmp(named, path) == 0 && REAL(unlinkat)(AT_FDCWD, failing, 0) == 0;
}

static int synced(int fd, int (*sync)(int)) {
  char path[PATH_MAX];
  path_of(fd, path);
  if (file < 0 || !(is_watched(path) || is_folder(path))) return sync(fd);
  if (is_written_by_bun(path)) record_content(path);
  record(SYNC_BEGINS, path, 0, 0, 0);
  if (delay_us > 0) usleep(random() % delay_us);
  int is_failing = is_to_fail(path), result = is_failing ? -1 : sync(fd);
  record(SYNC_ENDS, path, result, 0, 0);
  if (is_failing) errno = EIO;
  return result;
}

int fsync(int fd) { return synced(fd, REAL(fsync)); }

int fdatasync(int fd) {
  char path[PATH_MAX];
  path_of(fd, path);
  if (file >= 0 && is_watched(path) && is_wal(path) && syscall(SYS_gettid) == getpid()) record_content(path);
  return synced(fd, REAL(fdatasync));
}

int renameat(int from_folder, const char *from, int to_folder, const char *to) {
  char from_path[PATH_MAX], to_path[PATH_MAX];
  const char *old = absolute(from_folder, from, from_path), *new = absolute(to_folder, to, to_path);
  int is_ours = file >= 0 && is_watched(old) && is_watched(new);
  if (is_ours && is_written_by_bun(old)) record_content(old);
  int result = REAL(renameat)(from_folder, from, to_folder, to);
  if (result == 0 && is_ours) record(RENAME, old, 0, new, strlen(new));
  return result;
}

int rename(const char *from, const char *to) { return renameat(AT_FDCWD, from, AT_FDCWD, to); }

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
  if (flags == 0) return renameat(from_folder, from, to_folder, to);
  return REAL(renameat2)(from_folder, from, to_folder, to, flags);
}

int unlinkat(int folder, const char *name, int flags) {
  char path[PATH_MAX];
  const char *gone = absolute(folder, name, path);
  int result = REAL(unlinkat)(folder, name, flags);
  if (result == 0 && file >= 0 && is_watched(gone)) record(UNLINK, gone, 0, 0, 0);
  return result;
}

int unlink(const char *name) { return unlinkat(AT_FDCWD, name, 0); }
