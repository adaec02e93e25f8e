/* SPDX-License-Identifier: Apache-2.0 */
/* C: a signal handler writes into the ring that its thread writes to. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include <ringproof/ringproof.h>

static ringproof_ring* ring;

static void on_signal(int number) {
    (void)number;
    ringproof_write(ring, "from the handler", 16, RINGPROOF_SAMPLE);
}

static int count_it(const ringproof_record* record, void* context) {
    unsigned long* counts = context;
    ++counts[record->bytes.first_size + record->bytes.second_size == 16];
    return 0;
}

int main(void) {
    char why[200];
    unsigned long counts[2] = {0, 0};
    ring = ringproof_create(RINGPROOF_NESTED, 100, why, sizeof why);
    printf("%s\n", ring == NULL ? why : "a ring of 100 bytes?");
    ring = ringproof_create(RINGPROOF_NESTED, 4096, why, sizeof why);
    if (ring == NULL) return 1;
    signal(SIGUSR1, on_signal);
    for (int i = 0; i != 1000; ++i) {
        ringproof_room room;
        if (ringproof_begin(ring, 8, RINGPROOF_SAMPLE, &room) == RINGPROOF_OK) {
            raise(SIGUSR1); /* in the middle of it */
            if (room.bytes.second_size == 0) memcpy(room.bytes.first, "the rest", 8);
            ringproof_commit(ring, &room);
        }
        if (i % 50 == 49) ringproof_read(ring, SIZE_MAX, count_it, counts);
    }
    printf("%lu records, %lu of them from the handler, %lu lost\n", counts[0] + counts[1], counts[1],
           (unsigned long)ringproof_lost(ring));
    const int good = counts[0] == 1000 && counts[1] == 1000 && ringproof_lost(ring) == 0;
    ringproof_destroy(ring);
    return good ? 0 : 1;
}
