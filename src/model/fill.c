/* Slots come in two layouts. Few slots: each holds transfer + one period of the pool, so any offset
 * finds its bytes in place (window = period). Many: each holds one transfer, and the bytes are
 * copied from the pool when the slot last held another phase of it (window = a page, or 1 where
 * transfers are whole pages). */
#include "model/fill_sector.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#define SLOTS_WITH_POOL (2 * (UINT64_C(1) << 20) / FILL_PERIOD) /* 2 MiB beside the transfers */

static uint64_t round_up(uint64_t bytes, uint64_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

/* --- content -----------------------------------------------------------------------------------
 */

/* Which blocks of the pool are copies: evenly spread, exact to one of FILL_BLOCKS. */
static void choose_copies(struct fill *f)
{
    uint64_t percent = f->data.dedup_percent;
    uint32_t copies = 0;
    for (uint64_t block = 0; block < FILL_BLOCKS; block++) {
        f->copy[block] = (block + 1) * percent / 100 != block * percent / 100;
        if (f->copy[block])
            f->source[block] = copies++ % FILL_COPIES;
    }
}

static void make_pool(struct fill *f)
{
    struct rng rng = rng_make(f->data.seed, UINT64_C(0xf111));
    for (uint64_t i = 0; i < FILL_PERIOD; i += sizeof(uint64_t)) {
        uint64_t word = rng_next(&rng);
        memcpy(f->pool + i, &word, sizeof word);
    }
    unsigned char sources[FILL_COPIES][FILL_BLOCK];
    for (uint64_t i = 0; i < sizeof sources; i += sizeof(uint64_t)) {
        uint64_t word = rng_next(&rng);
        memcpy(&sources[0][0] + i, &word, sizeof word);
    }
    for (uint64_t block = 0; block < FILL_BLOCKS; block++)
        if (f->copy[block])
            memcpy(f->pool + block * FILL_BLOCK, sources[f->source[block]], FILL_BLOCK);
    for (uint64_t i = 0; i < FILL_PERIOD; i += FILL_SECTOR)
        memset(f->pool + i + f->body_end, 0, FILL_SECTOR - f->body_end);
}

/* Every word from its place, as the key of a stamp is. */
static void put_words(const struct fill *f, struct owner owner, uint64_t offset,
                      unsigned char sector[FILL_SECTOR])
{
    uint64_t seed_key = f->seed_key;
    for (uint64_t i = FILL_STAMP; i < FILL_SECTOR; i += sizeof(uint64_t)) {
        uint64_t word = fill_key(seed_key, owner, offset + i);
        memcpy(sector + i, &word, sizeof word);
    }
    memset(sector + f->body_end, 0, FILL_SECTOR - f->body_end);
}

void fill_sector(const struct fill *f, struct owner owner, uint64_t offset,
                 unsigned char sector[FILL_SECTOR])
{
    if (f->data.mode == FILL_ZERO) {
        memset(sector, 0, FILL_SECTOR);
        return;
    }
    uint64_t place = offset;
    struct owner named = fill_place(f, owner, &place);
    if (f->data.mode == FILL_WORDS)
        put_words(f, named, place, sector);
    else
        memcpy(sector, f->pool + offset % FILL_PERIOD, FILL_SECTOR);
    fill_put_mask(sector, fill_mask(f->data.seed, f->seed_key, named, place));
}

void fill_put(const struct fill *f, void *to, uint64_t file, uint64_t offset, uint64_t length)
{
    struct owner owner = fill_owner(f->seed_key, file);
    unsigned char *out = to;
    unsigned char sector[FILL_SECTOR];
    while (length > 0) {
        uint64_t skip = offset % FILL_SECTOR;
        uint64_t part = FILL_SECTOR - skip < length ? FILL_SECTOR - skip : length;
        fill_sector(f, owner, offset - skip, part == FILL_SECTOR ? out : sector);
        if (part < FILL_SECTOR)
            memcpy(out, sector + skip, part);
        out += part;
        offset += part;
        length -= part;
    }
}

/* --- slots -------------------------------------------------------------------------------------
 */

static void copy_pool(const struct fill *f, unsigned char *to, uint64_t phase, uint64_t bytes)
{
    while (bytes > 0) {
        uint64_t at = phase % FILL_PERIOD;
        uint64_t part = FILL_PERIOD - at < bytes ? FILL_PERIOD - at : bytes;
        memcpy(to, f->pool + at, part);
        to += part;
        phase += part;
        bytes -= part;
    }
}

/* How a slot is laid out; 0 where it does not fit into memory's addresses. */
static uint64_t lay_out(struct fill *f)
{
    bool whole_pages = f->transfer_bytes % FILL_PAGE == 0;
    if (f->data.mode == FILL_STAMPED && f->slots <= SLOTS_WITH_POOL)
        f->window = FILL_PERIOD;
    else
        f->window = whole_pages ? 1 : FILL_PAGE;
    if (f->transfer_bytes > (UINT64_MAX >> 2) / f->slots)
        return 0;
    /* A stamp is written whole even where the transfer ends inside of it. */
    uint64_t most = f->window == 1 ? f->transfer_bytes : f->window + f->transfer_bytes + FILL_STAMP;
    return round_up(most > 0 ? most : 1, FILL_PAGE);
}

static int make_slots(struct fill *f)
{
    f->slot_bytes = lay_out(f);
    if (f->slot_bytes == 0)
        return -1;
    f->slot = calloc(f->slots, sizeof *f->slot);
    f->pool = aligned_alloc(FILL_PAGE, FILL_PERIOD);
    f->memory = aligned_alloc(FILL_PAGE, f->slots * f->slot_bytes);
    if (!f->slot || !f->pool || !f->memory)
        return -1;
    make_pool(f);
    for (uint32_t i = 0; i < f->slots; i++) {
        struct slot *slot = &f->slot[i];
        slot->memory = f->memory + i * f->slot_bytes;
        if (f->data.mode == FILL_ZERO)
            memset(slot->memory, 0, f->slot_bytes);
        else
            copy_pool(f, slot->memory, 0, f->slot_bytes);
        slot->to = f->slot_bytes;
    }
    return 0;
}

struct fill *fill_make(const struct fill_data *data, uint64_t transfer_bytes, uint32_t slots,
                       struct error *e)
{
    struct fill *f = calloc(1, sizeof *f);
    if (f) {
        f->data = *data;
        f->transfer_bytes = transfer_bytes;
        f->slots = slots;
        f->seed_key = fill_seed_key(data->seed);
        uint64_t zeros = FILL_SECTOR * (uint64_t)data->compressible_percent / 100;
        f->body_end = zeros < FILL_SECTOR - FILL_STAMP ? FILL_SECTOR - zeros : FILL_STAMP;
        choose_copies(f);
        if (make_slots(f) == 0)
            return f;
    }
    fill_free(f);
    error_errno(e, ENOMEM, "memory for transfer buffers: %" PRIu32 " of %" PRIu64 " bytes", slots,
                transfer_bytes);
    return NULL;
}

void fill_free(struct fill *f)
{
    if (!f)
        return;
    free(f->slot);
    free(f->pool);
    free(f->memory);
    free(f);
}

void *fill_buffer(const struct fill *f, uint32_t slot)
{
    return f->slot[slot].memory;
}

size_t fill_buffer_bytes(const struct fill *f)
{
    return f->slot_bytes;
}

/* Makes [from, to) of the slot's memory hold the pool as it is at phase. */
static void restore(const struct fill *f, struct slot *slot, uint64_t phase, uint64_t from,
                    uint64_t to)
{
    if (slot->phase == phase && slot->from <= from && to <= slot->to)
        return;
    if (f->window == FILL_PERIOD) { /* what a read has overwritten stands at the beginning */
        copy_pool(f, slot->memory, 0, slot->from);
        slot->from = 0;
        return;
    }
    copy_pool(f, slot->memory + from, phase + from, to - from);
    slot->phase = phase;
    slot->from = from;
    slot->to = to;
}

/* Stamps of consecutive sectors, the first at offset, that all have one owner. */
static void put_stamps(const struct fill *f, unsigned char *at, struct owner owner, uint64_t offset,
                       uint64_t bytes)
{
    uint64_t seed = f->data.seed;
    uint64_t seed_key = f->seed_key;
    for (uint64_t i = 0; i < bytes; i += FILL_SECTOR)
        fill_put_mask(at + i, fill_mask(seed, seed_key, owner, offset + i));
}

/* The same where blocks of the pool are copies, with stamps of their own. */
static void put_stamps_by_block(const struct fill *f, unsigned char *at, struct owner owner,
                                uint64_t offset, uint64_t bytes)
{
    while (bytes > 0) {
        uint64_t left = FILL_BLOCK - offset % FILL_BLOCK;
        uint64_t part = left < bytes ? left : bytes;
        uint64_t place = offset;
        struct owner named = fill_place(f, owner, &place);
        put_stamps(f, at, named, place, part);
        at += part;
        offset += part;
        bytes -= part;
    }
}

void *fill_prepare(struct fill *f, uint32_t slot, uint64_t file, uint64_t offset, uint64_t length)
{
    struct slot *s = &f->slot[slot];
    uint64_t at = offset & (f->window - 1);
    unsigned char *data = s->memory + at;
    if (f->data.mode == FILL_ZERO) {
        if (at + length > s->to || at < s->from) {
            memset(s->memory, 0, f->slot_bytes);
            s->from = 0;
            s->to = f->slot_bytes;
        }
    } else if (f->data.mode == FILL_WORDS || (f->window == 1 && offset % FILL_PAGE != 0)) {
        fill_put(f, data, file, offset, length);
        s->to = 0; /* nothing of the pool is left */
    } else {
        uint64_t into_sector = offset % FILL_SECTOR;
        uint64_t phase = (offset - at) % FILL_PERIOD;
        restore(f, s, phase, at - into_sector, at + length);
        (f->data.dedup_percent > 0 ? put_stamps_by_block : put_stamps)(
            f, data - into_sector, fill_owner(f->seed_key, file), offset - into_sector,
            into_sector + length);
    }
    return data;
}

void *fill_target(struct fill *f, uint32_t slot, uint64_t offset, uint64_t length, bool poison)
{
    struct slot *s = &f->slot[slot];
    if (s->from < length)
        s->from = length;
    if (!poison || length == 0)
        return s->memory;
    uint64_t part = FILL_SECTOR - offset % FILL_SECTOR;
    for (uint64_t at = 0; at < length; at += part, part = FILL_SECTOR) {
        uint64_t here = length - at < part ? length - at : part;
        fill_poison(s->memory + at, fill_poison_bytes(here));
    }
    uint64_t end = length < sizeof(uint64_t) ? length : sizeof(uint64_t);
    fill_poison(s->memory + length - end, end);
    return s->memory;
}
