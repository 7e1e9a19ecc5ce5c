/* Where the messages to one of several threads wait until it asks for them. */
#ifndef PARIO_COMM_MAILBOX_H
#define PARIO_COMM_MAILBOX_H

#include "comm/comm.h"

#include <pthread.h>

struct mailbox { /* all zero: empty */
    pthread_mutex_t lock;
    struct comm_message *first; /* in the order in which they were put */
};

/* By the sender, whose message this stays. */
void mailbox_put(struct mailbox *box, struct comm_message *m);

/* By the receiver: copies the oldest message of its sender into *m and tells the sender; false
 * where there is none. */
bool mailbox_take(struct mailbox *box, struct comm_message *m);

#endif
