/* SPDX-License-Identifier: Apache-2.0 */
/* A library that counts: see loads.c. */
#include <stdlib.h>

static int calls;
static int* made_before_main;
#ifdef THREAD_LOCAL
static __thread int own_calls;
#endif

__attribute__((constructor)) static void when_loaded(void) {
    made_before_main = malloc(sizeof *made_before_main);
    *made_before_main = 0;
}

int count(void) {
#ifdef THREAD_LOCAL
    if (++own_calls != calls + 1) abort();
#endif
    if (++*made_before_main != calls + 1) abort();
    return ++calls;
}
