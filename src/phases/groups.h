/* Ranks whose bytes one of them, the lowest, collects and writes into a file of the group. For each
 * piece the leader asks a member and takes it; one that gives up dismisses those it has not served,
 * so nobody waits for an answer that does not come. */
#ifndef PARIO_PHASES_GROUPS_H
#define PARIO_PHASES_GROUPS_H

#include "phases/phase.h"

struct group {
    uint64_t leader;  /* rank */
    uint64_t members; /* of the leader alone: ranks of the group; 0: there are no groups */
    uint64_t served;  /* of them: through, or dismissed; itself is the first */
    uint64_t bytes;   /* of each member */
    uint64_t sent;    /* by this member */
    bool sends;       /* it is a member that is not through */
};

struct group group_of(const struct checkpoint_plan *plan, uint64_t rank);

/* A piece of the group's file, from offset on, as far as it comes from one rank. */
uint64_t group_cut(const struct group *g, uint64_t offset_bytes, uint64_t length_bytes);
/* The leader's: makes of the write of such a piece the receiving of it where another has it; then
 * group_write makes of what was received the write that follows. */
void group_receive(struct group *g, struct op *op);
void group_write(const struct op *received, struct op *op);
/* The leader gave up: the next member that still waits; END: there is none. */
enum step group_dismiss(struct group *g, struct op *op);
/* A member's next piece of the file object, of at most most_bytes; END: it is through. */
enum step group_send(struct group *g, uint64_t object, uint64_t rank, uint64_t most_bytes,
                     struct op *op);
/* What came of it. */
void group_sent(struct group *g, const struct outcome *outcome);

#endif
