/* Inside of fill: what a sector holds. */
#ifndef PARIO_MODEL_FILL_SECTOR_H
#define PARIO_MODEL_FILL_SECTOR_H

#include "base/rng.h"
#include "model/fill.h"

#include <string.h>

#define FILL_BLOCKS (FILL_PERIOD / FILL_BLOCK) /* in the pool */

/* Whose stamp a sector carries. */
struct owner {
    uint64_t file;
    uint64_t key;
};

struct slot {
    unsigned char *memory;
    uint64_t phase; /* memory[i] is pool[(phase + i) % period] for i in [from, to), stamps apart */
    uint64_t from;
    uint64_t to;
};

/* The words of sectors, as wide as the processor has them (fill_wide.c). */
struct fill_words {
    /* [offset, offset + bytes): whole sectors of FILL_STAMPED, all of one owner. */
    void (*put)(const struct fill *f, unsigned char *to, struct owner owner, uint64_t offset,
                uint64_t bytes);
    /* How many bytes of it, from the start, are right: whole sectors. */
    uint64_t (*right)(const struct fill *f, const unsigned char *found, struct owner owner,
                      uint64_t offset, uint64_t bytes);
};

struct fill {
    struct fill_data data;
    const struct fill_words *words;
    uint64_t transfer_bytes;
    uint32_t slots;
    uint64_t window; /* data of offset o begins at o modulo this in a slot's memory */
    uint64_t slot_bytes;
    uint64_t body_end;     /* from here on a sector is zero */
    uint64_t seed_key;     /* the seed mixed, as the keys of stamps need it */
    unsigned char *pool;   /* FILL_PERIOD bytes; of FILL_STAMPED FILL_BASE */
    unsigned char *memory; /* of all slots */
    struct slot *slot;
    bool copy[FILL_BLOCKS];       /* dedup: this block of the pool is a copy */
    uint32_t source[FILL_BLOCKS]; /* ... and of which one of FILL_COPIES */
};

static inline uint64_t fill_seed_key(uint64_t seed)
{
    return rng_mix(seed ^ UINT64_C(0x70a3c5d96b4e21f8));
}

static inline struct owner fill_owner(uint64_t seed_key, uint64_t file)
{
    /* Odd, so that different offsets keep different keys. */
    return (struct owner){file, (seed_key + file * UINT64_C(0x9e3779b97f4a7c15)) | 1};
}

/* One multiplication, both halves used: neighbouring places have unrelated keys. */
static inline uint64_t fill_key(uint64_t seed_key, struct owner owner, uint64_t offset)
{
    unsigned __int128 product = (unsigned __int128)(offset ^ seed_key) * owner.key;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint64_t fill_rotate(uint64_t x, unsigned bits)
{
    return x << bits | x >> (64 - bits);
}

/* A stamp as it stands in the file. */
struct mask {
    uint64_t seed;
    uint64_t file;
    uint64_t offset;
    uint64_t key;
};

/* Turns by odd numbers of bits: no byte of the key stands in the stamp twice. */
static inline struct mask fill_mask(uint64_t seed, uint64_t seed_key, struct owner owner,
                                    uint64_t offset)
{
    uint64_t key = fill_key(seed_key, owner, offset);
    return (struct mask){
        .seed = seed ^ fill_rotate(key, 13),
        .file = owner.file ^ fill_rotate(key, 29),
        .offset = offset ^ fill_rotate(key, 47),
        .key = key,
    };
}

/* Word by word: stored whole, it would go through memory twice, and the loads wait for the stores.
 */
static inline void fill_put_mask(unsigned char *to, struct mask m)
{
    memcpy(to, &m.seed, 8);
    memcpy(to + 8, &m.file, 8);
    memcpy(to + 16, &m.offset, 8);
    memcpy(to + 24, &m.key, 8);
}

/* Owner and place that the stamp of the sector at offset names: its own, or in a repeated block
 * those of the block it is a copy of. */
static inline struct owner fill_place(const struct fill *f, struct owner owner, uint64_t *offset)
{
    uint64_t block = *offset % FILL_PERIOD / FILL_BLOCK;
    if (!f->copy[block])
        return owner;
    *offset = f->source[block] * FILL_BLOCK + *offset % FILL_BLOCK;
    return fill_owner(f->seed_key, FILL_EVERYWHERE);
}

/* The whole sector that begins at offset (a multiple of FILL_SECTOR). */
void fill_sector(const struct fill *f, struct owner owner, uint64_t offset,
                 unsigned char sector[FILL_SECTOR]);

extern const struct fill_words fill_words_common;
/* Of the processor that this runs on. */
const struct fill_words *fill_words_here(void);

/* Marks a place of a sector that a read must overwrite. */
static inline void fill_poison(unsigned char *at, uint64_t bytes)
{
    memset(at, 0xb5, bytes);
}

/* Bytes at the start of a sector's part of so many bytes that are poisoned. */
static inline uint64_t fill_poison_bytes(uint64_t part)
{
    return part < FILL_STAMP ? part : FILL_STAMP;
}

#endif
