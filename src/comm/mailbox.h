/* Where the messages to one of several threads wait until it asks for them. */
#ifndef PARIO_COMM_MAILBOX_H
#define PARIO_COMM_MAILBOX_H

#include "comm/comm.h"

#include <pthread.h>

struct mailbox { /* all zero: empty */
    pthread_mutex_t lock;
    struct comm_message *first;   /* in the order in which they were put */
    struct comm_message *awaited; /* the receiver's alone: receives, in the order of their begin */
};

/* By the sender, whose message this stays. */
void mailbox_put(struct mailbox *box, struct comm_message *m);

/* By the receiver: from now on *m awaits a message of its sender. The oldest receive gets the
 * oldest message, whichever of the receives is asked for first. */
void mailbox_await(struct mailbox *box, struct comm_message *m);

/* By the receiver: whether the message that *m awaits is there; it was copied, and its sender
 * told. */
bool mailbox_take(struct mailbox *box, struct comm_message *m);

#endif
