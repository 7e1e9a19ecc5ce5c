#include "comm/mailbox.h"

#include <string.h>

_Static_assert(PTHREAD_MUTEX_TIMED_NP == 0, "a zeroed mutex is one that is ready");

void mailbox_put(struct mailbox *box, struct comm_message *m)
{
    m->next = NULL;
    pthread_mutex_lock(&box->lock);
    struct comm_message **end = &box->first;

    while (*end != NULL)
        end = &(*end)->next;
    *end = m;
    pthread_mutex_unlock(&box->lock);
}

static struct comm_message *oldest_of(struct mailbox *box, uint64_t from)
{
    pthread_mutex_lock(&box->lock);
    struct comm_message **place = &box->first;

    while (*place != NULL && (*place)->from != from)
        place = &(*place)->next;
    struct comm_message *found = *place;

    if (found != NULL)
        *place = found->next;
    pthread_mutex_unlock(&box->lock);
    return found;
}

void mailbox_await(struct mailbox *box, struct comm_message *m)
{
    struct comm_message **end = &box->awaited;

    m->next = NULL;
    while (*end != NULL)
        end = &(*end)->next;
    *end = m;
}

/* Gives a receive the oldest message of its sender; false where there is none. */
static bool fill(struct mailbox *box, struct comm_message *m)
{
    struct comm_message *sent = oldest_of(box, m->from);

    if (sent == NULL)
        return false;
    if (m->bytes > 0)
        memcpy(m->data, sent->data, m->bytes < sent->bytes ? m->bytes : sent->bytes);
    m->time_ns = sent->time_ns;
    atomic_store_explicit(&m->taken, true, memory_order_relaxed);
    atomic_store_explicit(&sent->taken, true, memory_order_release);
    return true;
}

bool mailbox_take(struct mailbox *box, struct comm_message *m)
{
    struct comm_message **place = &box->awaited;

    while (!atomic_load_explicit(&m->taken, memory_order_relaxed)) {
        struct comm_message *receive = *place, *after = receive->next;

        if (receive->from != m->from)
            place = &receive->next;
        else if (fill(box, receive))
            *place = after;
        else
            return false;
    }
    return true;
}
