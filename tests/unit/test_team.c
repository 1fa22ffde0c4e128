/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Thread teams: every member runs once, barriers hold, pools lend and take back, forks do not hang.
 */
#define _DEFAULT_SOURCE /* posix_memalign, usleep */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cpu/team.h"

enum {
    MEMBERS = 4,
    ROUNDS = 200,
    CALLERS = 10
};

struct visits {
    uint32_t count[MEMBERS]; /* written by the member alone */
    uint32_t size;
};

static void visit(void *context, uint32_t member, uint32_t size)
{
    struct visits *visits = context;
    visits->count[member]++;
    if (member == 0)
        visits->size = size;
}

static void each_member_runs_once(void **state)
{
    (void)state;
    for (uint32_t size = 1; size <= MEMBERS; size++) {
        struct team *team = team_create(size);
        assert_non_null(team);
        assert_int_equal(team_size(team), size);
        struct visits visits = {{0}, 0};
        for (uint32_t round = 0; round < ROUNDS; round++) {
            if (round % 50 == 49)
                usleep(2000); /* long enough for the workers to fall asleep */
            team_run(team, visit, &visits);
        }
        assert_int_equal(visits.size, size);
        for (uint32_t member = 0; member < MEMBERS; member++)
            assert_int_equal(visits.count[member], member < size ? ROUNDS : 0);
        team_destroy(team);
    }
}

struct barrier_test {
    struct team *team;
    uint32_t value[MEMBERS];
    _Atomic uint32_t wrong;
};

static void meet(void *context, uint32_t member, uint32_t size)
{
    struct barrier_test *test = context;
    for (uint32_t round = 1; round <= ROUNDS; round++) {
        if (member == round % size && round % 64 == 0)
            usleep(1000);
        test->value[member] = round;
        team_barrier(test->team);
        for (uint32_t other = 0; other < size; other++)
            if (test->value[other] != round)
                atomic_fetch_add(&test->wrong, 1);
        team_barrier(test->team);
    }
}

static void barriers_separate_phases(void **state)
{
    (void)state;
    for (uint32_t size = 1; size <= MEMBERS; size++) {
        struct barrier_test test = {.team = team_create(size)};
        team_run(test.team, meet, &test);
        assert_int_equal(atomic_load(&test.wrong), 0);
        team_destroy(test.team);
    }
}

static void pool_lends_what_it_has(void **state)
{
    (void)state;
    struct team_pool *pool = team_pool_create(MEMBERS);
    assert_int_equal(team_pool_threads(pool), MEMBERS);
    struct team *most = team_borrow(pool, MEMBERS - 1);
    struct team *rest = team_borrow(pool, MEMBERS);
    struct team *none = team_borrow(pool, MEMBERS);
    assert_int_equal(team_size(most), MEMBERS - 1);
    assert_int_equal(team_size(rest), 2);
    assert_int_equal(team_size(none), 1);
    team_return(none);
    team_return(most);
    team_return(rest);
    struct team *all = team_borrow(pool, 100);
    assert_int_equal(team_size(all), MEMBERS);
    team_return(all);
    team_pool_destroy(pool);

    struct team *single = team_borrow(NULL, 8);
    assert_int_equal(team_size(single), 1);
    team_return(single);
    team_pool_destroy(NULL);
    team_destroy(NULL);
}

static void add(void *context, uint32_t member, uint32_t size)
{
    (void)member;
    (void)size;
    atomic_fetch_add((_Atomic uint64_t *)context, 1);
}

static void *call_often(void *argument)
{
    struct team_pool *pool = argument;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        struct team *team = team_borrow(pool, 1 + round % MEMBERS);
        _Atomic uint64_t sum = 0;
        uint32_t size = team_size(team);
        team_run(team, add, &sum);
        team_run(team, add, &sum);
        if (atomic_load(&sum) != 2 * (uint64_t)size)
            return argument;
        team_return(team);
    }
    return NULL;
}

static void callers_share_a_pool(void **state)
{
    (void)state;
    struct team_pool *pool = team_pool_create(MEMBERS);
    pthread_t callers[CALLERS];
    for (uint32_t i = 0; i < CALLERS; i++)
        assert_int_equal(pthread_create(&callers[i], NULL, call_often, pool), 0);
    for (uint32_t i = 0; i < CALLERS; i++) {
        void *failed;
        pthread_join(callers[i], &failed);
        assert_null(failed);
    }
    team_pool_destroy(pool);
}

/* In the child: 0 when pool and team work with one member. */
static int use_after_fork(struct team_pool *pool, struct team *team)
{
    struct visits visits = {{0}, 0};
    team_run(team, visit, &visits);
    if (visits.size != 1 || team_size(team) != 1)
        return 1;
    struct team *fresh = team_borrow(pool, MEMBERS);
    if (!fresh || team_size(fresh) != 1)
        return 2;
    team_run(fresh, visit, &visits);
    team_return(fresh);
    team_return(team);
    team_pool_destroy(pool);
    return visits.count[0] == 2 ? 0 : 3;
}

static void forked_child_does_not_hang(void **state)
{
    (void)state;
    struct team_pool *pool = team_pool_create(MEMBERS);
    struct team *team = team_borrow(pool, MEMBERS);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        alarm(20);
        _exit(use_after_fork(pool, team));
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_int_equal(team_size(team), MEMBERS);
    team_return(team);
    team_pool_destroy(pool);
}

static void shares_cover_everything(void **state)
{
    (void)state;
    static const uint64_t counts[] = {0, 1, 63, 64, 65, 1000, UINT64_C(1) << 33};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        for (uint32_t size = 1; size < 9; size++) {
            uint64_t place = 0;
            for (uint32_t member = 0; member < size; member++) {
                uint64_t first, last;
                team_share(counts[c], member, size, 64, &first, &last);
                assert_int_equal(first, place);
                assert_true(first % 64 == 0 || first == counts[c]);
                assert_true(last >= first);
                place = last;
            }
            assert_int_equal(place, counts[c]);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_member_runs_once),      cmocka_unit_test(barriers_separate_phases),
        cmocka_unit_test(pool_lends_what_it_has),     cmocka_unit_test(callers_share_a_pool),
        cmocka_unit_test(forked_child_does_not_hang), cmocka_unit_test(shares_cover_everything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
