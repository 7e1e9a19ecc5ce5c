/* The serving half of the network backend, and what it says to the other.
 *
 * Every rank is a client, which asks one server, and a server, which answers the clients that ask
 * it. Requests go over one comm and answers over another, both in order for each pair of ranks, so
 * that sizes are known before anything comes:
 *     write:  header, data  ->      <-  receipt
 *     read:   header        ->      <-  data
 *     end:    header        ->          (the client has no more until the next barrier)
 * A server answers each client in the order in which it asked, so the oldest operation in flight is
 * the next to complete. */
#ifndef PARIO_BACKENDS_NETWORK_SERVER_H
#define PARIO_BACKENDS_NETWORK_SERVER_H

#include "backends/backend.h"

#define NETWORK_WINDOW 32 /* requests of one client that a server works on at a time */
#define NETWORK_POOL_BYTES (UINT64_C(64) << 20) /* of a server's buffers, but one at least */
#define NETWORK_LARGEST (UINT64_C(1) << 30)     /* transfer in bytes */

enum network_ask { NETWORK_WRITE = 1, NETWORK_READ, NETWORK_END };

struct network_header {
    uint64_t ask;
    uint64_t bytes;
};

/* --- server ------------------------------------------------------------------------------------
 */

enum unit_state { UNIT_TAKES, UNIT_READY, UNIT_ANSWERS };

struct network_unit { /* a request */
    enum unit_state state;
    uint32_t buffer; /* UINT32_MAX: none */
    uint64_t ask;
    uint64_t bytes;
    uint64_t receipt;
    struct comm_message message;
};

struct network_client {
    uint64_t rank;
    bool listening; /* a header's receive is under way */
    bool asked;     /* a header is there that waits for a unit or a buffer */
    bool ended;
    struct network_header header;
    struct comm_message message;
    uint32_t first; /* oldest unit at work */
    uint32_t next_answer;
    uint32_t next;              /* the next header's; all count up, modulo the window */
    struct network_unit *units; /* window of them */
};

struct network_server {
    struct comm *requests;
    struct comm *answers;
    uint64_t clients_used;
    struct network_client *clients;
    uint64_t turn; /* the client to begin with, so that all are served alike */
    uint32_t window;
    uint32_t buffers_total;
    uint32_t buffers_free_used;
    uint32_t *buffers_free;
    char *memory; /* buffers_total + 1 of buffer_bytes; the last is what reads are answered with */
    uint64_t buffer_bytes;
};

/* ranks: whom it serves, n of them; -1 with an error. */
int network_server_make(struct network_server *s, const uint64_t *ranks, uint64_t n,
                        uint64_t buffer_bytes, uint32_t depth, struct error *e);
void network_server_free(struct network_server *s);
/* From now on requests are awaited, until the clients' ends. */
void network_server_begin(struct network_server *s);
/* Does what can be done without waiting; whether anything could. */
bool network_server_work(struct network_server *s);
/* Every client has said its end and got its answers. */
bool network_server_is_done(const struct network_server *s);

#endif
