#include "probe/program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Signals that this program keeps from its threads are the other one's business again. */
static int spawn(const struct argv *argv, pid_t *pid)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none;
    int failed = posix_spawn_file_actions_init(&files);
    if (failed)
        return failed;
    failed = posix_spawnattr_init(&attributes);
    if (failed) {
        posix_spawn_file_actions_destroy(&files);
        return failed;
    }
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    failed = posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (!failed)
        failed = posix_spawn_file_actions_adddup2(&files, STDERR_FILENO, STDOUT_FILENO);
    if (!failed)
        failed = posix_spawnp(pid, argv->words[0], &files, &attributes, argv->words, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return failed;
}

int program_run(const struct argv *argv, struct error *e)
{
    const char *name = argv->words[0];
    pid_t pid;
    int status, failed = spawn(argv, &pid);
    if (failed)
        return error_errno(e, failed, "%s: it cannot be started", name);
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return error_errno(e, errno, "%s: waiting for its end", name);
    if (WIFSIGNALED(status))
        return error_set(e, STATUS_FAILED, "program", "%s was ended by signal %d (%s)", name,
                         WTERMSIG(status), strsignal(WTERMSIG(status)));
    if (WEXITSTATUS(status))
        return error_set(e, STATUS_FAILED, "program", "%s ended with status %d", name,
                         WEXITSTATUS(status));
    return 0;
}
