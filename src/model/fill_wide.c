/* The same text is compiled for registers of 16 bytes, which every machine has in some form, and of
 * 32 where x86 has them; which of the two fits is asked once, when buffers are made. */
#include "model/fill_sector.h"

#define WIDE 32u

/* Not a type of any interface: only memory of it is passed around. */
typedef uint64_t wide __attribute__((vector_size(WIDE)));

#define PART static inline __attribute__((always_inline))

PART void put_wide(unsigned char *to, const unsigned char *from, uint64_t key)
{
    wide words;
    const wide keys = {key, key, key, key};
    memcpy(&words, from, sizeof words);
    words ^= keys;
    memcpy(to, &words, sizeof words);
}

PART void put_here(const struct fill *f, unsigned char *to, struct owner owner, uint64_t offset,
                   uint64_t bytes)
{
    for (uint64_t end = offset + bytes; offset != end; offset += FILL_SECTOR, to += FILL_SECTOR) {
        const unsigned char *from = f->pool + offset % FILL_BASE;
        struct mask mask = fill_mask(f->data.seed, f->seed_key, owner, offset);
        fill_put_mask(to, mask);
#pragma GCC unroll 15
        for (unsigned i = FILL_STAMP; i < FILL_SECTOR; i += WIDE)
            put_wide(to + i, from + i, mask.key);
    }
}

PART uint64_t right_here(const struct fill *f, const unsigned char *found, struct owner owner,
                         uint64_t offset, uint64_t bytes)
{
    uint64_t at = 0;
    for (; at < bytes; at += FILL_SECTOR, offset += FILL_SECTOR, found += FILL_SECTOR) {
        const unsigned char *from = f->pool + offset % FILL_BASE;
        struct mask mask = fill_mask(f->data.seed, f->seed_key, owner, offset);
        const wide keys = {mask.key, mask.key, mask.key, mask.key};
        wide wrong, should;
        memcpy(&wrong, found, sizeof wrong);
        memcpy(&should, &mask, sizeof should);
        wrong ^= should;
#pragma GCC unroll 15
        for (unsigned i = FILL_STAMP; i < FILL_SECTOR; i += WIDE) {
            wide here;
            memcpy(&here, found + i, sizeof here);
            memcpy(&should, from + i, sizeof should);
            wrong |= here ^ should ^ keys;
        }
        if (wrong[0] | wrong[1] | wrong[2] | wrong[3])
            break;
    }
    return at;
}

static void put_common(const struct fill *f, unsigned char *to, struct owner owner, uint64_t offset,
                       uint64_t bytes)
{
    put_here(f, to, owner, offset, bytes);
}

static uint64_t right_common(const struct fill *f, const unsigned char *found, struct owner owner,
                             uint64_t offset, uint64_t bytes)
{
    return right_here(f, found, owner, offset, bytes);
}

const struct fill_words fill_words_common = {put_common, right_common};

#ifdef __x86_64__
#include <immintrin.h>

#define AVX2 __attribute__((target("avx2")))

/* More than caches hold is written past them: it would only be read into them first. */
#define PAST_CACHES (UINT64_C(16) << 20)

AVX2 static void put_past(const struct fill *f, unsigned char *to, struct owner owner,
                          uint64_t offset, uint64_t bytes)
{
    for (uint64_t end = offset + bytes; offset != end; offset += FILL_SECTOR, to += FILL_SECTOR) {
        const unsigned char *from = f->pool + offset % FILL_BASE;
        struct mask mask = fill_mask(f->data.seed, f->seed_key, owner, offset);
        const __m256i keys = _mm256_set1_epi64x((long long)mask.key);
        _mm256_stream_si256((__m256i *)(void *)to,
                            _mm256_set_epi64x((long long)mask.key, (long long)mask.offset,
                                              (long long)mask.file, (long long)mask.seed));
#pragma GCC unroll 15
        for (unsigned i = FILL_STAMP; i < FILL_SECTOR; i += WIDE) {
            __m256i words = _mm256_load_si256((const __m256i *)(const void *)(from + i));
            _mm256_stream_si256((__m256i *)(void *)(to + i), _mm256_xor_si256(words, keys));
        }
    }
    _mm_sfence();
}

AVX2 static void put_avx2(const struct fill *f, unsigned char *to, struct owner owner,
                          uint64_t offset, uint64_t bytes)
{
    if (bytes > PAST_CACHES && (uintptr_t)to % WIDE == 0)
        put_past(f, to, owner, offset, bytes);
    else
        put_here(f, to, owner, offset, bytes);
}

AVX2 static uint64_t right_avx2(const struct fill *f, const unsigned char *found,
                                struct owner owner, uint64_t offset, uint64_t bytes)
{
    return right_here(f, found, owner, offset, bytes);
}

static const struct fill_words avx2 = {put_avx2, right_avx2};

const struct fill_words *fill_words_here(void)
{
    return __builtin_cpu_supports("avx2") ? &avx2 : &fill_words_common;
}
#else
const struct fill_words *fill_words_here(void)
{
    return &fill_words_common;
}
#endif
