#include "judge/rules.h"

#include "base/wrap.h"

const struct verdict verdict_table[] = {
    {"working-set",
     "the data of a phase per node is less than 1.5 x the node's memory (a cgroup's limit "
     "respected)",
     rule_working_set},
    {"cached-writes",
     "nothing forced the data out (no fsync, no direct I/O), and the volume per node is below its "
     "memory",
     rule_cached_writes},
    {"cached-reads",
     "pages of the files were in the page cache before the read, or less came from the device than "
     "was read (by more than 1 %)",
     rule_cached_reads},
    {"same-node-read", "some reader shares a node with the writer of what it reads",
     rule_same_node_read},
    {"memory-fs", "the files lie on tmpfs, ramfs or another file system in memory", rule_memory_fs},
    {"hollow-file",
     "less than half of what is read lies on the storage, or a deadline left that much of a file "
     "that is kept unwritten",
     rule_hollow_file},
    {"buffered-direct", "direct I/O was asked for and is not in effect", rule_buffered_direct},
    {"short-phase", "elapsed below 1 s where data is moved, below 0.1 s for metadata",
     rule_short_phase},
    {"ragged-start", "elapsed_s and elapsed_lower_s differ by more than 1 % and 1 ms",
     rule_ragged_start},
    {"clock-offset",
     "what a tool that subtracts wall clocks would have taken for the time of the phase is wrong "
     "by "
     "more than 1 % and 1 ms",
     rule_clock_offset},
    {"straggler",
     "the slowest rank takes more than 1.5 x as long for a byte or operation as the median; ranks "
     "and hosts are named",
     rule_straggler},
    {"bimodal",
     "from 16 ranks on: two humps in the rates of ranks (Sarle's coefficient > 5/9, a split in two "
     "that explains more than 80 % of the variance, at least two ranks and 5 % in each, 10 % "
     "apart), with the best explanation by host, file, parity or order of ranks",
     rule_bimodal},
    {"unbalanced",
     "the rank with the most operations did over 5 % more than the one with the fewest (and more "
     "than one more)",
     rule_unbalanced},
    {"cut-short",
     "stopped by a signal, a time limit, an error or a full file system; a deadline (-D) is not "
     "one",
     rule_cut_short},
    {"cpu-bound",
     "more than 80 % of a node's cores in use, or a rank's CPU time over 90 % of elapsed_lower_s",
     rule_cpu_bound},
    {"harness-bound", "filling, checking and thinking took over 3 % of the ranks' own time",
     rule_harness_bound},
    {"not-collective",
     "collective transfers were asked for, and the library made some of them independently; it "
     "says "
     "why",
     NULL},
    {"oversubscribed", "more ranks than cores on a node", rule_oversubscribed},
    {"rate-missed",
     "a rate was asked for (--rate), and operations were handed over later and later: by more than "
     "1 % of the time, and 10 ms, in the end",
     rule_rate_missed},
    {"not-steady",
     "--until-steady: the last five rounds range over more than 20 % of their mean, or rise or "
     "fall "
     "by more than 10 %",
     NULL},
    {"fs-full", "more than 85 % of the file system's space or inodes are in use", rule_fs_full},
    {NULL, NULL, NULL},
};

void verdicts_phase(struct phase_result *p, const struct plan *plan, const struct world *world)
{
    /* What an error stopped is no figure, and nothing else can be said of it. */
    bool failed = p->cut == CUT_ERROR;
    for (const struct verdict *v = verdict_table; v->code; v++)
        if (v->judge && (!failed || v->judge == rule_cut_short))
            v->judge(p, plan, world);
}

void verdicts_help(struct text *out)
{
    enum { INDENT = 4, WIDTH = 96 };
    text_add(out, "\nWarnings: when is a number not to be trusted?\n");
    for (const struct verdict *v = verdict_table; v->code; v++) {
        text_add(out, "%s\n%*s", v->code, INDENT, "");
        text_wrap(out, v->when, INDENT, INDENT, WIDTH);
    }
}
