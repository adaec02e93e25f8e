/* SPDX-License-Identifier: Apache-2.0 */
/* The perf ring in the kernel's own words: two slots, three records, so that a slot is used again. One of the four
 * letters can be taken away on the command line. */
#include <assert.h>
#include <lkmm.h>

#ifndef A
#define A() smp_mb() /* perf relies on the branch here, which orders nothing in C */
#endif
#ifndef B
#define B() smp_wmb()
#endif
#ifndef C
#define C() smp_rmb()
#endif
#ifndef D
#define D() smp_mb()
#endif

static unsigned long data_head, data_tail;
static int data[2];

static void* producer(void* unused) {
    for (unsigned long head = 0; head < 3; ++head) {
        while (head - READ_ONCE(data_tail) == 2) cpu_relax();
        A();
        data[head % 2] = (int)head + 1;
        B();
        WRITE_ONCE(data_head, head + 1);
    }
    return unused;
}

int main(void) {
    pthread_t writer;
    pthread_create(&writer, 0, producer, 0);
    for (unsigned long tail = 0; tail < 3; ++tail) {
        (void)smp_cond_load_relaxed(&data_head, VAL != tail);
        C();
        assert(data[tail % 2] == (int)tail + 1);
        D();
        WRITE_ONCE(data_tail, tail + 1);
    }
    pthread_join(writer, 0);
    return 0;
}
