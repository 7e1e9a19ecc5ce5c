/* The whole story: the command line becomes settings, the settings become a run, the run's results
 * become text and an exit status. */
#include "backends/backend.h"
#include "cli/cli.h"
#include "cli/launcher.h"
#include "forecast.h"
#include "formats/format.h"
#include "judge/verdicts.h"
#include "model/metrics.h"
#include "output.h"
#include "phases/phase.h"
#include "session.h"
#include "version.h"

#include <signal.h>
#include <stdio.h>

#define PARTS_MOST 64

/* The backends as the command line sees them. */
static size_t collect_groups(struct option_group *groups)
{
    size_t n = 0;
    for (const struct backend *const *b = backend_table; *b && n < PARTS_MOST; b++)
        groups[n++] = (struct option_group){(*b)->name,        (*b)->sentence,
                                            (*b)->options,     (*b)->options_bytes,
                                            (*b)->unavailable, (*b)->traits & BACKEND_DIRECT};
    return n;
}

static void list_parts(struct text *out)
{
    struct list_row rows[3 * PARTS_MOST];
    size_t n = 0;
    for (const struct workload *w = workload_table; w->name && n < PARTS_MOST; w++)
        rows[n++] = (struct list_row){"workload", w->name, w->sentence, NULL};
    for (const struct backend *const *b = backend_table; *b && n < 2 * PARTS_MOST; b++)
        rows[n++] = (struct list_row){"backend", (*b)->name, (*b)->sentence, (*b)->unavailable};
    for (const struct format *const *f = format_table; *f && n < 3 * PARTS_MOST; f++)
        rows[n++] = (struct list_row){"format", (*f)->name, (*f)->sentence, NULL};
    cli_list(out, rows, n);
}

/* --help, --version and their like: asked of every rank, answered by one. */
static enum status answer(const struct command *command, struct error *e)
{
    struct text text = {0};
    int failed = 0;
    if (command->action == ACTION_LIST) {
        list_parts(&text);
    } else if (command->action == ACTION_VERSION) {
        char mpi[64];
        text_add(&text, "pario %s (%s), MPI: %s, %s\n", PARIO_VERSION, PARIO_GIT,
                 comm_mpi_version(mpi, sizeof mpi), PARIO_COMPILER);
    } else if (command->action == ACTION_METRICS) {
        metrics_help(&text);
        verdicts_help(&text);
    } else {
        failed = cli_write(command, &text, e);
    }
    if (!failed)
        output_answer(&text, e);
    text_free(&text);
    return e->status;
}

int main(int argc, char **argv)
{
    struct option_group groups[PARTS_MOST];
    struct cli_parts parts = {.version = PARIO_VERSION,
                              .workloads = workload_table,
                              .groups = groups,
                              .group_count = collect_groups(groups)};
    struct launcher launcher = launcher_of_process();
    struct command command = {0};
    struct error e = error_none();
    enum status status;
    /* A reader that goes away and a file over the limit are error messages, not deaths. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    if (cli_parse(&command, argc, argv, &parts, &e) == 0) {
        for (size_t i = 0; launcher_speaks(&launcher) && i < command.note_count; i++)
            fprintf(stderr, "pario: note: %s\n", command.notes[i]);
        if (command.action == ACTION_RUN && (command.plan || command.tests[0].settings.dry_run))
            status = launcher_speaks(&launcher) ? forecast(&command, &launcher, &e) : STATUS_DONE;
        else if (command.action == ACTION_RUN)
            status = session_run(&command, &launcher, argc, argv);
        else
            status = launcher_speaks(&launcher) ? answer(&command, &e) : STATUS_DONE;
    } else {
        launcher_let_speak(&launcher);
        status = e.status;
    }
    if (e.status != STATUS_DONE && launcher_speaks(&launcher))
        fprintf(stderr, "pario: %s\n", e.text);
    command_free(&command);
    return (int)status;
}
