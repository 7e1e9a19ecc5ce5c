/* Data of files: what is written, and what a read must bring back.
 *
 * The content of a file is a pure function of (run seed, file, offset), whoever writes or reads it,
 * in whatever pieces. The first FILL_STAMP bytes of every sector of the file say (seed, file,
 * offset of the sector), masked by a key so that they are incompressible as well. A stamp can be
 * decoded without knowing anything, so any sector tells where it belongs, and the key, which
 * follows from the three, makes it sure. The rest of the sector comes from a pool of incompressible
 * bytes, made once from the seed:
 *
 *   FILL_STAMPED  every word of 8 bytes of the pool (FILL_BASE bytes, which stay in the first
 * cache) is xored with the sector's key. No two sectors have bytes in common, so no compressor
 * finds anything, however far it looks back; costs what memset does. FILL_POOL     the pool as it
 * is, which repeats every FILL_PERIOD bytes. A write costs its stamps and no more: buffers hold the
 * pool's bytes already, and the data of offset o begins at o modulo the period in them. */
#ifndef PARIO_MODEL_FILL_H
#define PARIO_MODEL_FILL_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FILL_PERIOD (UINT64_C(1) << 20)
#define FILL_BASE (UINT64_C(8) << 10)
#define FILL_SECTOR 512u
#define FILL_STAMP 32u
#define FILL_BLOCK 4096u /* blocks that --dedup makes equal */
#define FILL_PAGE 4096u

enum fill_mode {
    FILL_STAMPED, /* stamps, and words that are functions of their place */
    FILL_POOL,    /* stamps, and bytes that repeat */
    FILL_ZERO     /* nothing but zeros, no stamps */
};

/* What the data is like. Reader and writer must agree on all of it; the seed can be found in the
 * data. */
struct fill_data {
    enum fill_mode mode;
    uint64_t seed;
    unsigned compressible_percent; /* zeros at the end of each sector; at most 93, stamps remain */
    unsigned dedup_percent;        /* of all FILL_BLOCKs that are copies of FILL_COPIES others */
};

#define FILL_COPIES 8u             /* different blocks that are repeated */
#define FILL_EVERYWHERE UINT64_MAX /* file of a stamp in a repeated block */

struct fill;

/* Buffers of one rank: one per slot, for transfers of at most transfer_bytes; all pages touched.
 * Memory: slots * transfer_bytes + at most 3 MiB, of FILL_STAMPED 8 KiB (transfers
 * that are no multiple of FILL_PAGE: a page or two more per slot). NULL with an error. */
struct fill *fill_make(const struct fill_data *data, uint64_t transfer_bytes, uint32_t slots,
                       struct error *e);
void fill_free(struct fill *f);

/* Memory of a slot, for registration: every pointer that prepare and target answer lies in it. */
void *fill_buffer(const struct fill *f, uint32_t slot);
size_t fill_buffer_bytes(const struct fill *f);

/* The slot's buffer with the content of [offset, offset + length) of a file; valid until the slot
 * is used again. Page-aligned where offset is. length <= transfer_bytes. */
void *fill_prepare(struct fill *f, uint32_t slot, uint64_t file, uint64_t offset, uint64_t length);

/* The slot's buffer to read [offset, offset + length) into; page-aligned. poison: overwrites a
 * place in each sector and the end, so that a read which brings less than it says does not pass the
 * check. */
void *fill_target(struct fill *f, uint32_t slot, uint64_t offset, uint64_t length, bool poison);

/* Puts the content into any memory: for pieces that are put together, and for tests. */
void fill_put(const struct fill *f, void *to, uint64_t file, uint64_t offset, uint64_t length);

enum mismatch_kind {
    MISMATCH_CHANGED,   /* right place, some bytes changed: flipped bits */
    MISMATCH_ZERO,      /* nothing but zeros: a hole, or never written */
    MISMATCH_STALE,     /* data of another run: other seed */
    MISMATCH_MISPLACED, /* data of this run that belongs to another place */
    MISMATCH_UNREAD,    /* the read did not bring this part */
    MISMATCH_FOREIGN,   /* not recognised */
    MISMATCH_KINDS
};

struct stamp {
    uint64_t seed;
    uint64_t file;
    uint64_t offset; /* of the sector in the file */
};

/* The first bad place, and how much was bad in all. */
struct mismatch {
    enum mismatch_kind kind;
    uint64_t offset;      /* of the first bad byte in the file */
    unsigned shown_bytes; /* in expected and found: up to 8, fewer at the end of the transfer */
    uint8_t expected[8];  /* from the first bad byte on */
    uint8_t found[8];
    struct stamp home; /* STALE, MISPLACED: whose data was found */
    uint64_t bad_bytes;
    uint64_t bad_sectors;
    uint64_t sectors[MISMATCH_KINDS];
};

/* Compares data with the content of [offset, offset + length) of file. Returns the number of bad
 * sectors (parts of sectors count whole); fills *m if that is not 0. */
uint64_t fill_check(const struct fill *f, const void *data, uint64_t file, uint64_t offset,
                    uint64_t length, struct mismatch *m);

/* "flipped", "zero", "stale", "misplaced", "unread", "foreign". */
const char *mismatch_name(enum mismatch_kind kind);
/* What was expected, what was found and where that belongs, as a sentence without file name and
 * offset. Returns buf; 320 bytes are enough. */
char *mismatch_text(const struct mismatch *m, char *buf, size_t bytes);

/* Reads a stamp at the start of a sector, whatever the seed; false if there is none. */
bool fill_decode(const void *sector, struct stamp *stamp);
/* The seed of the first stamp in data, which was read from offset; false if there is none. */
bool fill_find_seed(const void *data, uint64_t offset, uint64_t length, uint64_t *seed);

#endif
