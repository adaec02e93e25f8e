// SPDX-License-Identifier: Apache-2.0
#include <ck_pr.h>
#include <ck_stack.h>

#include <assert.h>
#include <pthread.h>

static ck_stack_t stack __attribute__((aligned(16)));
static ck_stack_entry_t first, second;

static void* pops_two_and_returns_one(void* unused) {
    ck_stack_entry_t *const top = ck_stack_pop_mpmc(&stack), *const below = ck_stack_pop_mpmc(&stack);
    if (top && below) {
        ck_stack_push_mpmc(&stack, top);
        return below;
    }
    return unused;
}

int main(void) {
    ck_stack_push_spnc(&stack, &first);
    ck_stack_push_spnc(&stack, &second);
    pthread_t other;
    pthread_create(&other, 0, pops_two_and_returns_one, 0);
    ck_stack_entry_t* const mine = ck_stack_pop_mpmc(&stack);
    void* theirs;
    pthread_join(other, &theirs);
    if (theirs && mine == &second) assert(ck_stack_pop_mpmc(&stack) != theirs);
}
