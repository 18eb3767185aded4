#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "sim/pool.h"

// A second book of the pool, kept by hand: who was born when, into which block.
enum { BLOCKS = 24, ROOM = BLOCKS * BLOCK, IDS = 1 << 16, EMITTERS = 5 };

typedef struct {
    uint32_t id; // 0: nobody
    int emitter;
    double born; // s
} Entry;

typedef struct {
    Pool pool;
    Entry entries[IDS]; // by id % IDS
    uint32_t alive[EMITTERS];
    uint32_t next_id;
    uint64_t births, last_birth[BLOCKS];
    double now;
    int reused; // blocks that lived when they were taken
} Book;

static const float life = 9, life_random = 0.7f, dt = 0.1f;

static Book *book_new(void)
{
    Book *book = calloc(1, sizeof *book);
    assert_true(pool_init(&book->pool, ROOM));
    book->next_id = 1;
    return book;
}

static void book_free(Book *book)
{
    pool_free(&book->pool);
    free(book);
}

static void strike(Book *book, uint32_t id)
{
    Entry *entry = &book->entries[id % IDS];
    assert_int_equal(entry->id, id);
    book->alive[entry->emitter]--;
    *entry = (Entry){ 0 };
}

static void strike_block(Book *book, int block)
{
    const BlockInfo *info = &book->pool.infos[block];
    for (uint32_t n = 0; n < info->count; n++) strike(book, book->pool.blocks[block].key[n]);
}

static int oldest_block(const Book *book)
{
    int oldest = NOBODY;
    for (int n = 0; n < BLOCKS; n++) {
        if (book->pool.infos[n].emitter == NOBODY) return NOBODY;
        if (oldest == NOBODY || book->last_birth[n] < book->last_birth[oldest]) oldest = n;
    }
    return oldest;
}

static uint32_t room_of(const Book *book, int emitter)
{
    const int block = book->pool.open[emitter];
    return block == NOBODY ? 0 : BLOCK - book->pool.infos[block].count;
}

// Births that open one block at most.
static void bear_some(Book *book, int emitter, uint32_t count)
{
    Pool *pool = &book->pool;
    if (room_of(book, emitter) == 0) {
        const int victim = oldest_block(book);
        bool was_free[BLOCKS];
        for (int n = 0; n < BLOCKS; n++) was_free[n] = pool->infos[n].emitter == NOBODY;
        if (victim != NOBODY) strike_block(book, victim);
        pool_assign(pool, emitter, count);
        assert_true(victim == NOBODY ? was_free[pool->open[emitter]]
                                     : pool->open[emitter] == victim);
        book->reused += victim != NOBODY;
    } else {
        pool_assign(pool, emitter, count);
    }
    const int block = pool->open[emitter];
    BlockInfo *info = &pool->infos[block];
    assert_int_equal(info->newborns, count);
    assert_int_equal(info->newborn_first, 0);
    for (uint32_t n = 0; n < count; n++) {
        const uint32_t id = book->next_id++;
        assert_int_equal(book->entries[id % IDS].id, 0);
        book->entries[id % IDS] = (Entry){ id, emitter, book->now };
        pool->blocks[block].key[info->count] = id;
        pool->blocks[block].age[info->count++] = 0;
    }
    info->newborns = 0;
    book->alive[emitter] += count;
    book->births += count;
    book->last_birth[block] = book->births;
}

static void bear(Book *book, int emitter, uint32_t count)
{
    while (count > 0) {
        const uint32_t room = room_of(book, emitter), most = room > 0 ? room : BLOCK;
        const uint32_t some = count < most ? count : most;
        bear_some(book, emitter, some);
        count -= some;
    }
}

static void grow_old(Book *book)
{
    book->now += (double)dt;
    for (int b = 0; b < BLOCKS; b++) {
        Block *block = &book->pool.blocks[b];
        BlockInfo *info = &book->pool.infos[b];
        for (uint32_t n = 0; n < info->count; n++) {
            block->age[n] += dt;
            if (block->age[n] >= life_of(life, life_random, block->key[n]))
                strike(book, block->key[n]);
        }
        info->count = kernel_bury(block, info->count, life, life_random);
    }
    pool_close(&book->pool);
}

static void check_block(const Book *book, int b)
{
    const Block *block = &book->pool.blocks[b];
    const BlockInfo *info = &book->pool.infos[b];
    for (uint32_t n = 0; n < info->count; n++) {
        const Entry *entry = &book->entries[block->key[n] % IDS];
        if (entry->id != block->key[n] || entry->emitter != info->emitter)
            fail_msg("particle %u in block %d should not live", block->key[n], b);
        if (!(fabs((double)block->age[n] - (book->now - entry->born)) < 1e-3))
            fail_msg("particle %u has the age %g", entry->id, (double)block->age[n]);
    }
}

static void check(Book *book)
{
    Pool *pool = &book->pool;
    pool_list(pool);
    uint32_t all = 0;
    int listed = 0;
    for (int e = 0; e < EMITTERS; e++) {
        assert_int_equal(pool->alive[e], book->alive[e]);
        all += book->alive[e];
        for (int n = pool->used_first[e]; n < pool->used_first[e + 1]; n++, listed++) {
            assert_int_equal(pool->infos[pool->used[n]].emitter, e);
            check_block(book, pool->used[n]);
        }
    }
    assert_int_equal(pool->alive_all, all);
    assert_int_equal(pool->used_first[EMITTER_SLOTS], listed);

    int blocks = 0;
    for (int n = pool->free; n != NOBODY; n = pool->infos[n].newer, blocks++)
        assert_int_equal(pool->infos[n].emitter, NOBODY);
    for (int n = pool->oldest; n != NOBODY; n = pool->infos[n].newer, blocks++) {
        const int newer = pool->infos[n].newer;
        assert_int_not_equal(pool->infos[n].emitter, NOBODY);
        assert_int_equal(newer == NOBODY ? pool->newest : pool->infos[newer].older, n);
        if (newer != NOBODY) assert_true(book->last_birth[newer] > book->last_birth[n]);
    }
    assert_int_equal(blocks, BLOCKS);
}

static void drop(Book *book, int emitter)
{
    for (int b = 0; b < BLOCKS; b++)
        if (book->pool.infos[b].emitter == emitter) strike_block(book, b);
    pool_drop(&book->pool, emitter);
}

static void an_hour_of_births_and_deaths_loses_and_doubles_nothing(void **state)
{
    (void)state;
    Book *book = book_new();
    uint32_t fullest = 0, emptiest = ROOM;
    for (uint32_t frame = 0; frame < 36000; frame++) {
        const uint32_t key = rng_key(5, frame);
        // Busy minutes fill the pool, quiet ones empty it.
        const uint32_t most = frame % 3000 < 2000 ? 250 : 8;
        for (uint32_t e = 0; e < EMITTERS; e++)
            if (rng_draw(key, e) % 3 == 0) bear(book, (int)e, rng_draw(key, 10 + e) % most);
        if (rng_draw(key, 20) % 900 == 0) bear(book, (int)(key % EMITTERS), ROOM);
        if (rng_draw(key, 21) % 500 == 0) drop(book, (int)(key % EMITTERS));
        grow_old(book);
        check(book);
        if (frame > 1000) {
            fullest = book->pool.alive_all > fullest ? book->pool.alive_all : fullest;
            emptiest = book->pool.alive_all < emptiest ? book->pool.alive_all : emptiest;
        }
    }
    assert_true(book->reused > 1000);
    assert_true(fullest > ROOM * 9 / 10 && emptiest < ROOM / 10);
    book_free(book);
}

static void more_births_than_room_keep_the_last_of_them(void **state)
{
    (void)state;
    Book *book = book_new();
    Pool *pool = &book->pool;
    bear(book, 1, 100);
    pool_assign(pool, 0, ROOM);
    pool_assign(pool, 0, BLOCK);
    uint32_t newborns = 0;
    for (int n = 0; n < BLOCKS; n++) {
        assert_int_equal(pool->infos[n].emitter, 0);
        assert_int_equal(pool->infos[n].count, 0);
        newborns += pool->infos[n].newborns;
    }
    assert_int_equal(newborns, ROOM);
    book_free(book);
}

static void many_small_emitters_share_a_small_pool(void **state)
{
    (void)state;
    Book *book = book_new();
    for (int round = 0; round < 50; round++)
        for (int e = 0; e < EMITTERS; e++) bear(book, e, 3);
    check(book);
    for (int e = 0; e < EMITTERS; e++) assert_int_equal(book->pool.alive[e], 150);
    assert_int_equal(book->reused, 0);
    book_free(book);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_hour_of_births_and_deaths_loses_and_doubles_nothing),
        cmocka_unit_test(more_births_than_room_keep_the_last_of_them),
        cmocka_unit_test(many_small_emitters_share_a_small_pool),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
