#include "backends/network_server.h"

#include <stdlib.h>
#include <string.h>

#define NO_BUFFER UINT32_MAX

int network_server_make(struct network_server *s, const uint64_t *ranks, uint64_t n,
                        uint64_t buffer_bytes, uint32_t depth, struct error *e)
{
    uint32_t window = depth < NETWORK_WINDOW ? depth : NETWORK_WINDOW;
    uint64_t most = NETWORK_POOL_BYTES / buffer_bytes, wish = n * window;
    s->window = window;
    s->clients_used = n;
    s->buffer_bytes = buffer_bytes;
    s->buffers_total = (uint32_t)(wish < most ? wish : most > 0 ? most : 1);
    s->buffers_free = calloc(s->buffers_total, sizeof *s->buffers_free);
    s->memory = malloc((s->buffers_total + 1) * buffer_bytes);
    s->clients = calloc(n + 1, sizeof *s->clients);
    bool there = s->buffers_free && s->memory && s->clients;
    for (uint64_t i = 0; there && i < n; i++) {
        s->clients[i].rank = ranks[i];
        s->clients[i].ended = true;
        s->clients[i].units = calloc(window, sizeof *s->clients[i].units);
        there = s->clients[i].units != NULL;
    }
    if (!there)
        return error_set(e, STATUS_FAILED, "ENOMEM", "network: no memory to serve %llu ranks",
                         (unsigned long long)n);
    /* Touched, so that no page is made inside the measured time. */
    memset(s->memory, 0x5a, (s->buffers_total + 1) * buffer_bytes);
    for (uint32_t i = 0; i < s->buffers_total; i++)
        s->buffers_free[i] = i;
    s->buffers_free_used = s->buffers_total;
    return 0;
}

void network_server_free(struct network_server *s)
{
    for (uint64_t i = 0; s->clients != NULL && i < s->clients_used; i++)
        free(s->clients[i].units);
    free(s->clients);
    free(s->memory);
    free(s->buffers_free);
}

static char *buffer_at(const struct network_server *s, uint32_t index)
{
    return s->memory + index * s->buffer_bytes;
}

static void listen(struct network_server *s, struct network_client *c)
{
    c->listening = true;
    s->requests->ops->receive(s->requests, c->rank, &c->header, sizeof c->header, &c->message);
}

void network_server_begin(struct network_server *s)
{
    for (uint64_t i = 0; i < s->clients_used; i++) {
        s->clients[i].ended = false;
        listen(s, &s->clients[i]);
    }
}

/* Gives a request that has come a unit, and a write a buffer; false where there is none free. */
static bool take_up(struct network_server *s, struct network_client *c)
{
    bool takes = c->header.ask == NETWORK_WRITE && c->header.bytes > 0;
    if (c->header.ask == NETWORK_END) {
        c->ended = true;
        c->asked = false;
        return true;
    }
    if (c->next - c->first == s->window || (takes && s->buffers_free_used == 0))
        return false;
    struct network_unit *u = &c->units[c->next++ % s->window];
    *u = (struct network_unit){.state = takes ? UNIT_TAKES : UNIT_READY,
                               .buffer = NO_BUFFER,
                               .ask = c->header.ask,
                               .bytes = c->header.bytes};
    if (takes) {
        u->buffer = s->buffers_free[--s->buffers_free_used];
        s->requests->ops->receive(s->requests, c->rank, buffer_at(s, u->buffer), u->bytes,
                                  &u->message);
    }
    c->asked = false;
    listen(s, c);
    return true;
}

static void answer(struct network_server *s, struct network_client *c, struct network_unit *u)
{
    bool reads = u->ask == NETWORK_READ;
    u->state = UNIT_ANSWERS;
    u->receipt = u->bytes;
    s->answers->ops->send(s->answers, c->rank,
                          reads ? (void *)buffer_at(s, s->buffers_total) : &u->receipt,
                          reads ? u->bytes : sizeof u->receipt, &u->message);
}

/* The requests that are at work, in their order. */
static bool go_on(struct network_server *s, struct network_client *c)
{
    bool moved = false;
    while (c->next_answer != c->next) {
        struct network_unit *u = &c->units[c->next_answer % s->window];
        if (u->state == UNIT_TAKES) {
            if (!s->requests->ops->done(s->requests, &u->message))
                break;
            s->buffers_free[s->buffers_free_used++] = u->buffer;
        }
        answer(s, c, u);
        c->next_answer++;
        moved = true;
    }
    while (c->first != c->next_answer) {
        struct network_unit *u = &c->units[c->first % s->window];
        if (!s->answers->ops->done(s->answers, &u->message))
            break;
        c->first++;
        moved = true;
    }
    return moved;
}

static bool serve(struct network_server *s, struct network_client *c)
{
    bool moved = false;
    if (c->listening && s->requests->ops->done(s->requests, &c->message)) {
        c->listening = false;
        c->asked = true;
    }
    if (c->asked)
        moved = take_up(s, c);
    return go_on(s, c) || moved;
}

bool network_server_work(struct network_server *s)
{
    bool moved = false;
    for (uint64_t i = 0; i < s->clients_used; i++) {
        struct network_client *c = &s->clients[(s->turn + i) % s->clients_used];
        if (!c->ended || c->first != c->next)
            moved = serve(s, c) || moved;
    }
    s->turn = s->clients_used > 0 ? (s->turn + 1) % s->clients_used : 0;
    return moved;
}

bool network_server_is_done(const struct network_server *s)
{
    for (uint64_t i = 0; i < s->clients_used; i++)
        if (!s->clients[i].ended || s->clients[i].first != s->clients[i].next)
            return false;
    return true;
}
