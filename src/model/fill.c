/* Slots come in two layouts. FILL_POOL and few slots: each holds transfer + one period of the pool,
 * so any offset finds its bytes in place (window = period). Otherwise each holds one transfer
 * (window = a page, or 1 where transfers are whole pages), and bytes of the pool are copied when
 * the slot last held another phase of it. */
#include "model/fill_sector.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/mman.h>

#define HUGE_PAGE (UINT64_C(2) << 20)
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

static void make_pool(struct fill *f, uint64_t bytes)
{
    struct rng rng = rng_make(f->data.seed, UINT64_C(0xf111));
    for (uint64_t i = 0; i < bytes; i += sizeof(uint64_t)) {
        uint64_t word = rng_next(&rng);
        memcpy(f->pool + i, &word, sizeof word);
    }
    if (f->data.mode == FILL_STAMPED)
        return;
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

/* Whole sectors of FILL_STAMPED. */
static void put_sectors(const struct fill *f, unsigned char *to, struct owner owner,
                        uint64_t offset, uint64_t bytes)
{
    uint64_t part = bytes;
    for (uint64_t at = 0; at < bytes; at += part) {
        uint64_t place = offset + at;
        if (f->data.dedup_percent > 0 && FILL_BLOCK - place % FILL_BLOCK < bytes - at)
            part = FILL_BLOCK - place % FILL_BLOCK;
        else
            part = bytes - at;
        struct owner named = fill_place(f, owner, &place);
        f->words->put(f, to + at, named, place, part);
    }
    if (f->body_end < FILL_SECTOR)
        for (uint64_t at = 0; at < bytes; at += FILL_SECTOR)
            memset(to + at + f->body_end, 0, FILL_SECTOR - f->body_end);
}

void fill_sector(const struct fill *f, struct owner owner, uint64_t offset,
                 unsigned char sector[FILL_SECTOR])
{
    uint64_t place = offset;
    if (f->data.mode == FILL_ZERO) {
        memset(sector, 0, FILL_SECTOR);
    } else if (f->data.mode == FILL_STAMPED) {
        put_sectors(f, sector, owner, offset, FILL_SECTOR);
    } else {
        struct owner named = fill_place(f, owner, &place);
        memcpy(sector, f->pool + offset % FILL_PERIOD, FILL_SECTOR);
        fill_put_mask(sector, fill_mask(f->data.seed, f->seed_key, named, place));
    }
}

void fill_put(const struct fill *f, void *to, uint64_t file, uint64_t offset, uint64_t length)
{
    struct owner owner = fill_owner(f->seed_key, file);
    unsigned char *out = to;
    unsigned char sector[FILL_SECTOR];
    while (length > 0) {
        uint64_t skip = offset % FILL_SECTOR;
        uint64_t part = FILL_SECTOR - skip < length ? FILL_SECTOR - skip : length;
        if (part == FILL_SECTOR && f->data.mode == FILL_STAMPED) {
            part = length - length % FILL_SECTOR;
            put_sectors(f, out, owner, offset, part);
        } else {
            fill_sector(f, owner, offset - skip, sector);
            memcpy(out, sector + skip, part);
        }
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
    if (f->data.mode == FILL_POOL && f->slots <= SLOTS_WITH_POOL)
        f->window = FILL_PERIOD;
    else
        f->window = whole_pages ? 1 : FILL_PAGE;
    if (f->transfer_bytes > (UINT64_MAX >> 2) / f->slots)
        return 0;
    /* A sector is written whole even where the transfer ends inside of it. */
    uint64_t most =
        f->window == 1 ? f->transfer_bytes : f->window + f->transfer_bytes + FILL_SECTOR;
    return round_up(most > 0 ? most : 1, FILL_PAGE);
}

/* Many pages of one buffer are many misses of the address cache, the kernel's own among them: large
 * memory is asked for in huge pages. */
static void *make_memory(uint64_t bytes)
{
    bool huge = bytes >= 4 * HUGE_PAGE;
    uint64_t unit = huge ? HUGE_PAGE : FILL_PAGE;
    void *memory = aligned_alloc(unit, round_up(bytes, unit));
    if (memory && huge)
        (void)madvise(memory, bytes, MADV_HUGEPAGE); /* slower without, and no worse */
    return memory;
}

static int make_slots(struct fill *f)
{
    f->slot_bytes = lay_out(f);
    if (f->slot_bytes == 0)
        return -1;
    uint64_t pool_bytes = f->data.mode == FILL_STAMPED ? FILL_BASE : FILL_PERIOD;
    f->slot = calloc(f->slots, sizeof *f->slot);
    f->pool = aligned_alloc(FILL_PAGE, pool_bytes);
    f->memory = make_memory(f->slots * f->slot_bytes);
    if (!f->slot || !f->pool || !f->memory)
        return -1;
    make_pool(f, pool_bytes);
    for (uint32_t i = 0; i < f->slots; i++) {
        struct slot *slot = &f->slot[i];
        slot->memory = f->memory + i * f->slot_bytes;
        if (f->data.mode != FILL_POOL)
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
        f->words = fill_words_here();
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
    } else if (f->window == 1 && offset % FILL_PAGE != 0) {
        fill_put(f, data, file, offset, length);
        s->to = 0; /* nothing of the pool is left */
    } else if (f->data.mode == FILL_STAMPED) {
        uint64_t into_sector = offset % FILL_SECTOR;
        uint64_t sectors = round_up(into_sector + length, FILL_SECTOR);
        put_sectors(f, data - into_sector, fill_owner(f->seed_key, file), offset - into_sector,
                    sectors);
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
