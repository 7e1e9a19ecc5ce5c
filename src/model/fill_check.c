/* The quick way compares stamps as words and bodies with the pool; only a sector that differs is
 * looked at byte by byte and named. */
#include "model/fill_sector.h"

#include <inttypes.h>
#include <stdio.h>

bool fill_decode(const void *sector, struct stamp *stamp)
{
    struct mask m;
    memcpy(&m, sector, sizeof m);
    *stamp = (struct stamp){
        .seed = m.seed ^ fill_rotate(m.key, 13),
        .file = m.file ^ fill_rotate(m.key, 29),
        .offset = m.offset ^ fill_rotate(m.key, 47),
    };
    uint64_t seed_key = fill_seed_key(stamp->seed);
    return stamp->offset % FILL_SECTOR == 0 &&
           fill_key(seed_key, fill_owner(seed_key, stamp->file), stamp->offset) == m.key;
}

bool fill_find_seed(const void *data, uint64_t offset, uint64_t length, uint64_t *seed)
{
    uint64_t at = (FILL_SECTOR - offset % FILL_SECTOR) % FILL_SECTOR;
    for (; at + FILL_STAMP <= length; at += FILL_SECTOR) {
        struct stamp stamp;
        if (fill_decode((const unsigned char *)data + at, &stamp)) {
            *seed = stamp.seed;
            return true;
        }
    }
    return false;
}

/* Part of a sector as it was read, beside the whole sector as it should be. */
struct part {
    const unsigned char *found;
    const unsigned char *expected; /* the same bytes */
    uint64_t skip;                 /* of the sector, before the part */
    uint64_t bytes;
    uint64_t first_bad;
    uint64_t bad_bytes;
};

static bool all_bytes(const unsigned char *data, uint64_t bytes, unsigned char value)
{
    for (uint64_t i = 0; i < bytes; i++)
        if (data[i] != value)
            return false;
    return true;
}

static bool is_poisoned(const struct part *p)
{
    unsigned char poison;
    fill_poison(&poison, 1);
    uint64_t end = p->bytes < sizeof(uint64_t) ? p->bytes : sizeof(uint64_t);
    return all_bytes(p->found, fill_poison_bytes(p->bytes), poison) ||
           all_bytes(p->found + p->bytes - end, end, poison);
}

static enum mismatch_kind name_part(const struct fill *f, const struct part *p, struct stamp *home)
{
    if (is_poisoned(p))
        return MISMATCH_UNREAD;
    uint64_t telling = p->bytes < 8 ? p->bytes : 8; /* one byte may be zero by a flip */
    if (p->bad_bytes >= telling && all_bytes(p->found + p->first_bad, p->bytes - p->first_bad, 0))
        return MISMATCH_ZERO;
    bool stamped = p->skip == 0 && p->bytes >= FILL_STAMP;
    if (stamped && memcmp(p->found, p->expected, FILL_STAMP) != 0 && fill_decode(p->found, home)) {
        bool own = home->seed == f->data.seed && f->data.mode != FILL_ZERO;
        return own ? MISMATCH_MISPLACED : MISMATCH_STALE;
    }
    /* Of unrelated bytes one in 256 is right by chance. */
    return p->bad_bytes <= p->bytes / 2 ? MISMATCH_CHANGED : MISMATCH_FOREIGN;
}

static void note_first(struct mismatch *m, const struct part *p, uint64_t offset)
{
    uint64_t left = p->bytes - p->first_bad;
    m->offset = offset + p->first_bad;
    m->shown_bytes = left < sizeof m->found ? (unsigned)left : (unsigned)sizeof m->found;
    memcpy(m->expected, p->expected + p->first_bad, m->shown_bytes);
    memcpy(m->found, p->found + p->first_bad, m->shown_bytes);
}

/* Looks closely at bytes of one sector; adds to *m if they are not what they should be. */
static void check_part(const struct fill *f, const unsigned char *found, struct owner owner,
                       uint64_t offset, uint64_t bytes, struct mismatch *m)
{
    unsigned char sector[FILL_SECTOR];
    struct part p = {.found = found, .skip = offset % FILL_SECTOR, .bytes = bytes};
    fill_sector(f, owner, offset - p.skip, sector);
    p.expected = sector + p.skip;
    if (memcmp(found, p.expected, bytes) == 0)
        return;
    p.first_bad = bytes;
    for (uint64_t i = bytes; i-- > 0;) {
        if (found[i] != p.expected[i]) {
            p.first_bad = i;
            p.bad_bytes++;
        }
    }
    struct stamp home = {0};
    enum mismatch_kind kind = name_part(f, &p, &home);
    bool first = m->bad_sectors == 0;
    if (first)
        note_first(m, &p, offset);
    bool known = kind == MISMATCH_STALE || kind == MISMATCH_MISPLACED;
    /* Bytes before the first stamp of a transfer are told by it. */
    if (first || (m->kind == MISMATCH_FOREIGN && known)) {
        m->kind = kind;
        m->home = home;
        m->home.offset += known ? m->offset - offset : 0;
    }
    m->bad_sectors++;
    m->bad_bytes += p.bad_bytes;
    m->sectors[kind]++;
}

/* Whole sectors of FILL_POOL: how many bytes from the start are right. */
static uint64_t right_in_pool(const struct fill *f, const unsigned char *found, struct owner owner,
                              uint64_t offset, uint64_t bytes)
{
    bool copies = f->data.dedup_percent > 0;
    uint64_t at = 0;
    for (; at + FILL_SECTOR <= bytes; at += FILL_SECTOR) {
        struct mask here;
        uint64_t place = offset + at;
        const unsigned char *body = f->pool + place % FILL_PERIOD;
        struct owner named = copies ? fill_place(f, owner, &place) : owner;
        struct mask right = fill_mask(f->data.seed, f->seed_key, named, place);
        memcpy(&here, found + at, sizeof here);
        uint64_t wrong = (right.seed ^ here.seed) | (right.file ^ here.file) |
                         (right.offset ^ here.offset) | (right.key ^ here.key);
        if (wrong || memcmp(found + at + FILL_STAMP, body + FILL_STAMP, FILL_SECTOR - FILL_STAMP))
            break;
    }
    return at;
}

/* The same in any mode; 0 also where only a closer look can tell. */
static uint64_t right_sectors(const struct fill *f, const unsigned char *found, struct owner owner,
                              uint64_t offset, uint64_t bytes)
{
    if (f->data.mode == FILL_POOL)
        return right_in_pool(f, found, owner, offset, bytes);
    if (f->data.mode == FILL_ZERO || f->body_end < FILL_SECTOR)
        return 0;
    bytes -= bytes % FILL_SECTOR;
    if (f->data.dedup_percent > 0 && FILL_BLOCK - offset % FILL_BLOCK < bytes)
        bytes = FILL_BLOCK - offset % FILL_BLOCK;
    struct owner named = fill_place(f, owner, &offset);
    return f->words->right(f, found, named, offset, bytes);
}

uint64_t fill_check(const struct fill *f, const void *data, uint64_t file, uint64_t offset,
                    uint64_t length, struct mismatch *m)
{
    struct owner owner = fill_owner(f->seed_key, file);
    const unsigned char *found = data;
    struct mismatch seen = {0};
    while (length > 0) {
        uint64_t skip = offset % FILL_SECTOR;
        uint64_t part = 0;
        if (skip == 0)
            part = right_sectors(f, found, owner, offset, length);
        if (part == 0) {
            part = FILL_SECTOR - skip < length ? FILL_SECTOR - skip : length;
            check_part(f, found, owner, offset, part, &seen);
        }
        found += part;
        offset += part;
        length -= part;
    }
    if (seen.bad_sectors > 0)
        *m = seen;
    return seen.bad_sectors;
}

const char *mismatch_name(enum mismatch_kind kind)
{
    static const char *const names[MISMATCH_KINDS] = {
        [MISMATCH_CHANGED] = "flipped", [MISMATCH_ZERO] = "zero",
        [MISMATCH_STALE] = "stale",     [MISMATCH_MISPLACED] = "misplaced",
        [MISMATCH_UNREAD] = "unread",   [MISMATCH_FOREIGN] = "foreign",
    };
    return names[kind];
}

static char *show_bytes(char *buf, const uint8_t *bytes, unsigned n)
{
    static const char digits[] = "0123456789abcdef";
    char *out = buf;
    for (unsigned i = 0; i < n; i++) {
        *out++ = digits[bytes[i] >> 4];
        *out++ = digits[bytes[i] & 15];
    }
    *out = '\0';
    return buf;
}

/* What the found data is. */
static void say_what(const struct mismatch *m, char *buf, size_t bytes)
{
    const struct stamp *home = &m->home;
    switch (m->kind) {
    case MISMATCH_CHANGED:
        snprintf(buf, bytes, "the right data with bytes changed");
        break;
    case MISMATCH_ZERO:
        snprintf(buf, bytes, "zeros: a hole, or never written");
        break;
    case MISMATCH_STALE:
        snprintf(buf, bytes,
                 "data of another run (seed %" PRIu64 ", file %" PRIu64 ", offset %" PRIu64 ")",
                 home->seed, home->file, home->offset);
        break;
    case MISMATCH_MISPLACED:
        if (home->file == FILL_EVERYWHERE)
            snprintf(buf, bytes, "a repeated block of this run that does not belong here");
        else
            snprintf(buf, bytes, "data that belongs to file %" PRIu64 ", offset %" PRIu64,
                     home->file, home->offset);
        break;
    case MISMATCH_UNREAD:
        snprintf(buf, bytes, "what stood in the buffer before: the read brought less than it said");
        break;
    default:
        snprintf(buf, bytes, "not recognised");
        break;
    }
}

char *mismatch_text(const struct mismatch *m, char *buf, size_t bytes)
{
    char expected[2 * sizeof m->expected + 1];
    char found[2 * sizeof m->found + 1];
    char what[200];
    say_what(m, what, sizeof what);
    snprintf(buf, bytes,
             "expected %s, found %s: %s; %" PRIu64 " byte%s in %" PRIu64 " sector%s %s wrong",
             show_bytes(expected, m->expected, m->shown_bytes),
             show_bytes(found, m->found, m->shown_bytes), what, m->bad_bytes,
             m->bad_bytes == 1 ? "" : "s", m->bad_sectors, m->bad_sectors == 1 ? "" : "s",
             m->bad_bytes == 1 ? "is" : "are");
    return buf;
}
