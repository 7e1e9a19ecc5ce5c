#include "model/checkpoint_layout.h"

#include "base/rng.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* One tensor in the header, of fixed width, so that any part of a header can be made at once:
 * numbers are padded with blanks, which JSON allows. */
#define ENTRY_BYTES 111
#define LENGTH_BYTES 8 /* in front of the JSON text, little-endian */
/* Shares of a piece that several readers divide. */
#define SHARE_BYTES 4096

/* a * b / c without overflow of the product; c > 0. */
static uint64_t ratio(uint64_t a, uint64_t b, uint64_t c)
{
    unsigned __int128 value = (unsigned __int128)a * b / c;
    return value > UINT64_MAX ? UINT64_MAX : (uint64_t)value;
}

static uint64_t ratio_up(uint64_t a, uint64_t b, uint64_t c)
{
    return (uint64_t)(((unsigned __int128)a * b + c - 1) / c);
}

static uint64_t times(uint64_t a, uint64_t b)
{
    return ratio(a, b, 1);
}

static uint64_t plus(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint64_t round_up(uint64_t bytes, uint64_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

static const struct checkpoint_model *model_of(const struct checkpoint_layout *l)
{
    return l->model == CHECKPOINT_NO_MODEL ? NULL : &checkpoint_model_table[l->model];
}

uint64_t layout_scaled(const struct checkpoint_layout *l, uint64_t bytes)
{
    uint64_t less = ratio(bytes, l->scale_ppb, 1000000000);
    return round_up(less ? less : 1, l->align_bytes);
}

/* The i-th of n nearly equal parts: the first ones have a byte more. */
static uint64_t part(const struct checkpoint_layout *l, uint64_t bytes, uint64_t i, uint64_t n)
{
    return round_up(bytes / n + (i < bytes % n ? 1 : 0), l->align_bytes);
}

uint64_t layout_files(const struct checkpoint_layout *l, uint64_t writer)
{
    const struct checkpoint_model *m = model_of(l);
    if (m)
        return model_files(m, l->writers, writer);
    return l->slots;
}

uint64_t layout_file_bytes(const struct checkpoint_layout *l, uint64_t writer, uint64_t slot)
{
    const struct checkpoint_model *m = model_of(l);
    if (m)
        return layout_scaled(l, model_file_bytes(m, l->writers, writer, slot));
    if (layout_is_shared(l))
        return times(l->writers, l->writer_bytes);
    if (l->shape == CHECKPOINT_SHARDS)
        return part(l, l->total_bytes, writer, l->writers);
    if (l->shape == CHECKPOINT_GROUPS) {
        uint64_t left = l->total_bytes - writer * l->chunk_bytes;
        return left < l->chunk_bytes ? left : l->chunk_bytes;
    }
    return part(l, l->writer_bytes, slot, l->slots);
}

uint64_t layout_count(const struct checkpoint_layout *l)
{
    const struct checkpoint_model *m = model_of(l);
    if (layout_is_shared(l))
        return 1;
    if (!m)
        return times(l->writers, l->slots);
    struct model_kind kinds[MODEL_KINDS];
    uint64_t sum = 0;
    for (unsigned i = model_kinds(m, l->writers, kinds); i-- > 0;)
        sum += kinds[i].files;
    return sum;
}

/* Of n parts of bytes, all together. */
static uint64_t parts(const struct checkpoint_layout *l, uint64_t bytes, uint64_t n)
{
    uint64_t longer = bytes % n;
    return plus(times(longer, part(l, bytes, 0, n)), times(n - longer, part(l, bytes, n - 1, n)));
}

uint64_t layout_bytes(const struct checkpoint_layout *l)
{
    const struct checkpoint_model *m = model_of(l);
    if (layout_is_shared(l))
        return times(l->writers, l->writer_bytes);
    if (l->shape == CHECKPOINT_SHARDS)
        return parts(l, l->total_bytes, l->writers);
    if (l->shape == CHECKPOINT_GROUPS)
        return l->total_bytes;
    if (!m)
        return times(l->writers, parts(l, l->writer_bytes, l->slots));
    struct model_kind kinds[MODEL_KINDS];
    uint64_t sum = 0;
    for (unsigned i = model_kinds(m, l->writers, kinds); i-- > 0;)
        sum = plus(sum, times(kinds[i].files, layout_scaled(l, kinds[i].bytes)));
    return sum;
}

uint64_t layout_largest(const struct checkpoint_layout *l)
{
    const struct checkpoint_model *m = model_of(l);
    if (!m)
        return layout_file_bytes(l, 0, 0);
    struct model_kind kinds[MODEL_KINDS];
    uint64_t most = 0;
    for (unsigned i = model_kinds(m, l->writers, kinds); i-- > 0;)
        most = layout_scaled(l, kinds[i].bytes) > most ? layout_scaled(l, kinds[i].bytes) : most;
    return most;
}

uint64_t layout_writer_bytes(const struct checkpoint_layout *l, uint64_t writer)
{
    if (layout_is_shared(l))
        return l->writer_bytes;
    uint64_t sum = 0;
    for (uint64_t slot = 0; slot < layout_files(l, writer); slot++)
        sum = plus(sum, layout_file_bytes(l, writer, slot));
    return sum;
}

uint64_t layout_header_bytes(const struct checkpoint_layout *l)
{
    if (!l->safetensors)
        return 0;
    uint64_t unit = l->align_bytes > LENGTH_BYTES ? l->align_bytes : LENGTH_BYTES;
    return round_up(plus(LENGTH_BYTES + 1, times(l->tensors, ENTRY_BYTES)), unit);
}

/* Cumulative shares of a transformer layer's tensors, in 1/100000, as they are in large models. */
static const uint64_t transformer[] = {0, 4, 9474, 17894, 17898, 72630, 100000};
#define TRANSFORMER_TENSORS 6

static uint64_t transformer_weight(uint64_t tensors)
{
    return tensors / TRANSFORMER_TENSORS * 100000 + transformer[tensors % TRANSFORMER_TENSORS];
}

uint64_t layout_tensor(const struct checkpoint_layout *l, uint64_t bytes, uint64_t i)
{
    uint64_t begin, n = l->tensors;
    if (i >= n)
        return bytes;
    if (l->ends)
        return i ? l->ends[i - 1] : 0;
    switch (l->tensor_sizes) {
    case TENSORS_TRANSFORMER:
        begin = ratio(bytes, transformer_weight(i), transformer_weight(n));
        break;
    case TENSORS_MIXED:
        begin = ratio(bytes, i, n);
        if (i > 0 && bytes / n > 1)
            begin += rng_mix(i) % (bytes / n);
        break;
    default:
        begin = ratio(bytes, i, n);
    }
    return begin - begin % l->align_bytes;
}

static void put_entry(const struct checkpoint_layout *l, uint64_t bytes, uint64_t i, char *entry)
{
    uint64_t begin = layout_tensor(l, bytes, i), end = layout_tensor(l, bytes, i + 1);
    snprintf(entry, ENTRY_BYTES + 1,
             "\"tensor.%08" PRIu64 "\":{\"dtype\":\"U8\",\"shape\":[%16" PRIu64
             "],\"data_offsets\":[%16" PRIu64 ",%16" PRIu64 "]}%c",
             i % 100000000, end - begin, begin, end, i + 1 < l->tensors ? ',' : '}');
}

/* Copies what of text, which stands at place, lies in [offset, offset + length). */
static void overlay(char *to, uint64_t offset, uint64_t length, const void *text, uint64_t place,
                    uint64_t bytes)
{
    uint64_t begin = place > offset ? place : offset;
    uint64_t end = place + bytes < offset + length ? place + bytes : offset + length;
    if (begin < end)
        memcpy(to + (begin - offset), (const char *)text + (begin - place), end - begin);
}

void layout_header(const struct checkpoint_layout *l, uint64_t file_bytes, uint64_t offset,
                   uint64_t length, char *to)
{
    uint64_t header = layout_header_bytes(l), json = header - LENGTH_BYTES;
    unsigned char size[LENGTH_BYTES];
    for (int i = 0; i < LENGTH_BYTES; i++)
        size[i] = (unsigned char)(json >> (8 * i));
    memset(to, ' ', length);
    overlay(to, offset, length, size, 0, sizeof size);
    overlay(to, offset, length, "{", LENGTH_BYTES, 1);
    uint64_t first = LENGTH_BYTES + 1;
    uint64_t i = offset > first ? (offset - first) / ENTRY_BYTES : 0;
    for (; i < l->tensors && first + i * ENTRY_BYTES < offset + length; i++) {
        char entry[ENTRY_BYTES + 1];
        put_entry(l, file_bytes - header, i, entry);
        overlay(to, offset, length, entry, first + i * ENTRY_BYTES, ENTRY_BYTES);
    }
}

/* Pieces without the header. */
static uint64_t bare_pieces(const struct checkpoint_layout *l, bool coalesced)
{
    if (l->shape == CHECKPOINT_STRIDED)
        return l->writer_bytes / l->chunk_bytes;
    return l->tensors && !coalesced ? l->tensors : 1;
}

uint64_t layout_pieces(const struct checkpoint_layout *l, uint64_t writer, uint64_t slot,
                       bool coalesced)
{
    (void)writer, (void)slot;
    return bare_pieces(l, coalesced) + (l->safetensors ? 1 : 0);
}

struct checkpoint_piece layout_piece(const struct checkpoint_layout *l, uint64_t writer,
                                     uint64_t slot, uint64_t piece, bool coalesced)
{
    if (l->shape == CHECKPOINT_STRIDED)
        return (struct checkpoint_piece){.offset_bytes =
                                             (piece * l->writers + writer) * l->chunk_bytes,
                                         .length_bytes = l->chunk_bytes};
    bool shared = l->shape == CHECKPOINT_SHARED;
    uint64_t header = layout_header_bytes(l);
    struct checkpoint_piece p = {.file = shared ? 0 : writer * l->slots + slot};
    if (header && piece == 0) {
        p.length_bytes = header;
        p.header = true;
        return p;
    }
    uint64_t base = shared ? writer * l->writer_bytes : header;
    uint64_t bytes = shared ? l->writer_bytes : layout_file_bytes(l, writer, slot) - header;
    uint64_t i = piece - (header ? 1 : 0);
    if (bare_pieces(l, coalesced) == 1) {
        p.offset_bytes = base;
        p.length_bytes = bytes;
        return p;
    }
    uint64_t begin = layout_tensor(l, bytes, i);
    p.offset_bytes = base + begin;
    p.length_bytes = layout_tensor(l, bytes, i + 1) - begin;
    return p;
}

void layout_share(const struct checkpoint_layout *l, uint64_t worker, uint64_t count,
                  uint64_t *first, uint64_t *end)
{
    *first = ratio_up(worker, l->writers, count);
    *end = ratio_up(worker + 1, l->writers, count);
}

/* Whole writers, dealt out. */
static struct checkpoint_walk whole_walk(const struct checkpoint_layout *l, bool coalesced,
                                         uint64_t worker, uint64_t count)
{
    struct checkpoint_walk w = {.layout = l, .coalesced = coalesced, .shares = 1};
    layout_share(l, worker, count, &w.writer, &w.end);
    return w;
}

struct checkpoint_walk checkpoint_write_walk(const struct checkpoint_layout *l, bool coalesced,
                                             uint64_t worker, uint64_t count)
{
    struct checkpoint_walk w = whole_walk(l, coalesced, worker, count);
    if (l->shape == CHECKPOINT_GROUPS) { /* the first rank of each has its file */
        uint64_t ranks = l->chunk_bytes / l->writer_bytes;
        w.writer = worker / ranks;
        w.end = worker % ranks ? w.writer : w.writer + 1;
    }
    return w;
}

struct checkpoint_walk checkpoint_read_walk(const struct checkpoint_layout *l, bool coalesced,
                                            uint64_t worker, uint64_t count)
{
    if (count <= l->writers)
        return whole_walk(l, coalesced, worker, count);
    uint64_t writer = ratio(worker, l->writers, count);
    uint64_t first = ratio_up(writer, count, l->writers);
    uint64_t end = ratio_up(writer + 1, count, l->writers);
    return (struct checkpoint_walk){.layout = l,
                                    .coalesced = coalesced,
                                    .writer = writer,
                                    .end = writer + 1,
                                    .share = worker - first,
                                    .shares = end - first};
}

static void cut_share(const struct checkpoint_walk *w, struct checkpoint_piece *piece)
{
    if (w->shares == 1)
        return;
    uint64_t units = piece->length_bytes / SHARE_BYTES;
    uint64_t begin = ratio(units, w->share, w->shares) * SHARE_BYTES;
    uint64_t end = w->share + 1 == w->shares ? piece->length_bytes
                                             : ratio(units, w->share + 1, w->shares) * SHARE_BYTES;
    piece->offset_bytes += begin;
    piece->length_bytes = end - begin;
}

bool checkpoint_walk_next(struct checkpoint_walk *w, struct checkpoint_piece *piece)
{
    while (w->writer < w->end) {
        if (w->slot >= layout_files(w->layout, w->writer)) {
            w->slot = 0;
            w->writer++;
            continue;
        }
        if (w->piece >= layout_pieces(w->layout, w->writer, w->slot, w->coalesced)) {
            w->piece = 0;
            w->slot++;
            continue;
        }
        *piece = layout_piece(w->layout, w->writer, w->slot, w->piece, w->coalesced);
        w->piece++;
        cut_share(w, piece);
        if (piece->length_bytes > 0)
            return true;
    }
    return false;
}

void checkpoint_walk_count(struct checkpoint_walk walk, uint64_t transfer_bytes, uint64_t *bytes,
                           uint64_t *transfers)
{
    struct checkpoint_piece piece;
    *bytes = *transfers = 0;
    while (checkpoint_walk_next(&walk, &piece)) {
        *bytes += piece.length_bytes;
        *transfers += (piece.length_bytes + transfer_bytes - 1) / transfer_bytes;
    }
}
