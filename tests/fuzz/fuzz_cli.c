/* Any bytes as a command line ('a', then words with newlines between) or as a script ('s', then its
 * text). What comes of it is right or one message; never a crash, and with the sanitizers never a
 * leak. */
#include "tests/unit/cli/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "does not hold: %s\n", what);
    abort();
}

static void check_run(const struct command *command)
{
    char shown[512];

    must(command->test_count > 0, "a run has a test");
    for (size_t t = 0; t < command->test_count && t < 8; t++) {
        must(command->tests[t].settings.workload != 0, "a test has a workload");
        for (const struct option *o = settings_table; o->name; o++)
            option_show(o, &command->tests[t].settings, shown, sizeof shown);
    }
}

static void check(int argc, char *const *argv)
{
    struct command command;
    struct error e = error_none();
    struct text out = {0};
    int rc = cli_parse(&command, argc, argv, &fixture_parts, &e);

    if (!rc && command.action == ACTION_RUN)
        check_run(&command);
    else if (!rc && command.action != ACTION_LIST && command.action != ACTION_VERSION)
        rc = cli_write(&command, &out, &e);
    must((rc == 0) == (e.status == STATUS_DONE), "an error is set when something failed");
    must(rc == 0 || (rc == -1 && e.status == STATUS_USAGE), "wrong use is all that can go wrong");
    must(rc == 0 || e.text[0], "an error has a text");
    for (const char *c = e.text; *c; c++)
        must((unsigned char)*c >= 0x20 && *c != 0x7f, "a message is one line");
    text_free(&out);
    command_free(&command);
}

static void check_words(char *bytes)
{
    char name[] = "pario";
    char *argv[64] = {name};
    int argc = 1;

    for (char *c = bytes; argc < 64; c++) {
        argv[argc++] = c;
        c = strchr(c, '\n');
        if (!c)
            break;
        *c = '\0';
    }
    check(argc, argv);
}

static void check_script(const uint8_t *data, size_t size)
{
    char name[] = "pario", option[] = "-f", path[64];
    char *argv[] = {name, option, path};
    int fd = memfd_create("script", 0);

    must(fd >= 0 && write(fd, data, size) == (ssize_t)size, "there is memory for the script");
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    check(3, argv);
    close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size && data[0] == 's') {
        check_script(data + 1, size - 1);
    } else if (size) {
        char *bytes = strndup((const char *)data + 1, size - 1);
        must(bytes != NULL, "there is memory for the words");
        check_words(bytes);
        free(bytes);
    }
    return 0;
}
