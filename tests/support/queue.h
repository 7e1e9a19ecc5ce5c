/* A backend with a queue on a scratch directory, one rank, without an engine or a
 * comm. Objects are files DIR/0, DIR/1, ... Failures end the running cmocka test. */
#ifndef PARIO_TESTS_SUPPORT_QUEUE_H
#define PARIO_TESTS_SUPPORT_QUEUE_H

#include "backends/backend.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

struct queue {
    const struct backend *backend;
    char dir[256];
    struct clock clock;
    struct error error;
    void **buffers;
    struct backend_setup setup;
    void *io;
};

static inline int queue_path(const void *plan, uint64_t object, char *buf, size_t bytes)
{
    const struct queue *q = plan;
    int n = snprintf(buf, bytes, "%s/%llu", q->dir, (unsigned long long)object);
    return n < 0 || (size_t)n >= bytes ? -1 : 0;
}

/* Opens with setup as it stands; false: refused, with q->error set. */
static inline bool queue_open(struct queue *q)
{
    q->error = error_none();
    q->io = q->backend->open(&q->setup, &q->error);
    return q->io != NULL;
}

/* slots buffers of `bytes`; options: the backend's own struct. */
static inline void queue_make(struct queue *q, const struct backend *backend, const void *options,
                              uint32_t slots, size_t bytes)
{
    const char *base = getenv("TMPDIR");
    *q = (struct queue){.backend = backend, .clock = clock_monotonic()};
    snprintf(q->dir, sizeof q->dir, "%s/pario-queue-XXXXXX", base ? base : "/tmp");
    assert_non_null(mkdtemp(q->dir));
    q->buffers = calloc(slots, sizeof *q->buffers);
    assert_non_null(q->buffers);
    for (uint32_t i = 0; i < slots; i++) {
        q->buffers[i] = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
        assert_non_null(q->buffers[i]);
    }
    q->setup = (struct backend_setup){.options = options,
                                      .clock = &q->clock,
                                      .names = {.plan = q, .path = queue_path},
                                      .slots = slots,
                                      .handles = slots + 1,
                                      .buffers = q->buffers,
                                      .buffer_bytes = bytes,
                                      .transfer_bytes = bytes,
                                      .file_per_process = true};
}

static inline void queue_free(struct queue *q)
{
    char command[400];
    if (q->io != NULL)
        q->backend->close(q->io);
    snprintf(command, sizeof command, "rm -rf '%s'", q->dir);
    assert_int_equal(system(command), 0);
    for (uint32_t i = 0; i < q->setup.slots; i++)
        free(q->buffers[i]);
    free(q->buffers);
}

/* One operation in slot 0 from beginning to end. */
static inline struct outcome queue_run(struct queue *q, const struct op *op)
{
    struct completion done = {.slot = UINT32_MAX};
    enum io_state state = q->backend->perform[op->kind](q->io, op, 0, &done.outcome);
    assert_int_not_equal(state, IO_FULL);
    if (state == IO_QUEUED) {
        assert_int_equal(q->backend->reap(q->io, 1, INT64_MAX, &done, 1, &q->error), 1);
        assert_int_equal(done.slot, 0);
    }
    return done.outcome;
}

/* Same, of a kind on an object; must succeed. */
static inline void queue_do(struct queue *q, enum op_kind kind, unsigned flags, uint64_t object)
{
    struct op op = {.kind = (uint8_t)kind, .flags = (uint16_t)flags, .object = object};
    struct outcome outcome = queue_run(q, &op);
    assert_int_equal(outcome.error, 0);
}

static inline void queue_open_file(struct queue *q, uint64_t object)
{
    queue_do(q, OP_OPEN, OP_FLAG_READ | OP_FLAG_WRITE | OP_FLAG_CREATE, object);
}

/* The value of a fact, or "" if there is none of that key. */
static inline const char *queue_fact(struct queue *q, const char *key, struct fact *room)
{
    struct fact facts[32];
    size_t n = q->backend->facts(q->io, facts, 32);
    assert_true(n <= 32);
    for (size_t i = 0; i < n; i++)
        if (strcmp(facts[i].key, key) == 0) {
            *room = facts[i];
            return room->value;
        }
    return "";
}

/* Bytes of a file that tell where they belong. */
static inline void queue_stamp(unsigned char *data, size_t bytes, uint64_t offset)
{
    for (size_t i = 0; i < bytes; i++)
        data[i] = (unsigned char)((offset + i) * 2654435761u >> 13);
}

static inline bool queue_is_stamped(const unsigned char *data, size_t bytes, uint64_t offset)
{
    for (size_t i = 0; i < bytes; i++)
        if (data[i] != (unsigned char)((offset + i) * 2654435761u >> 13))
            return false;
    return true;
}

/* `total` transfers of one kind over a file in keyed disorder, the queue kept full throughout;
 * writes are stamped, reads compared. Returns the largest number that was ever in flight. */
static inline uint32_t queue_pump(struct queue *q, enum op_kind kind, uint64_t total)
{
    uint32_t slots = q->setup.slots, in_flight = 0, most = 0;
    uint64_t next = 0, completed = 0;
    struct op *ops = calloc(slots, sizeof *ops);
    struct completion *done = calloc(slots, sizeof *done);
    uint32_t *idle = calloc(slots, sizeof *idle), idle_used = slots;
    size_t bytes = q->setup.buffer_bytes;
    assert_true(ops != NULL && done != NULL && idle != NULL);
    for (uint32_t i = 0; i < slots; i++)
        idle[i] = i;
    while (completed < total) {
        while (idle_used > 0 && next < total) {
            uint32_t slot = idle[--idle_used];
            uint64_t place = (next * 7 + 3) % total; /* total is no multiple of 7 */
            struct outcome outcome;
            ops[slot] = (struct op){.kind = (uint8_t)kind,
                                    .offset_bytes = place * bytes,
                                    .length_bytes = bytes,
                                    .data = q->buffers[slot]};
            if (kind == OP_WRITE)
                queue_stamp(q->buffers[slot], bytes, ops[slot].offset_bytes);
            else
                memset(q->buffers[slot], 0, bytes);
            assert_int_equal(q->backend->perform[kind](q->io, &ops[slot], slot, &outcome),
                             IO_QUEUED);
            next++;
            in_flight++;
        }
        most = in_flight > most ? in_flight : most;
        int n = q->backend->reap(q->io, 1, INT64_MAX, done, slots, &q->error);
        assert_true(n >= 1 && (uint32_t)n <= in_flight);
        for (int i = 0; i < n; i++) {
            uint32_t slot = done[i].slot;
            assert_int_equal(done[i].outcome.error, 0);
            assert_int_equal(done[i].outcome.value, bytes);
            if (kind == OP_READ)
                assert_true(queue_is_stamped(q->buffers[slot], bytes, ops[slot].offset_bytes));
            idle[idle_used++] = slot;
        }
        in_flight -= (uint32_t)n;
        completed += (uint64_t)n;
    }
    free(ops);
    free(done);
    free(idle);
    return most;
}

#endif
