// SPDX-License-Identifier: Apache-2.0
// Sizes and alignments that no library gives memory for.
#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

static volatile size_t too_large = (size_t)-2, three = 3, one = 1;

static void refuses_sizes(void) {
    errno = 0;
    assert(!malloc(too_large) && errno == ENOMEM);
    assert(!calloc(too_large, 4));
    void *kept = malloc(8), *before = kept;
    assert(kept && !realloc(kept, too_large));
    *(char*)kept = 1; // it is still there
    assert(posix_memalign(&kept, 64, too_large) == ENOMEM && kept == before);
    free(before);
}

static void refuses_alignments(void) {
    void *kept = malloc(8), *before = kept;
    assert(posix_memalign(&kept, three, 16) == EINVAL && kept == before);
    assert(posix_memalign(&kept, one, 16) == EINVAL && kept == before);
    free(before);
    assert(posix_memalign(&kept, 64, 16) == 0 && (uintptr_t)kept % 64 == 0);
    free(kept);
}

int main(void) {
    refuses_sizes();
    refuses_alignments();
#ifdef MISALIGNED
    free(aligned_alloc(three, 16));
#endif
}
