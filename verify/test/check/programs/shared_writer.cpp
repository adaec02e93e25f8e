// SPDX-License-Identifier: Apache-2.0
// Makes shared memory and writes a message. -DORDER=…
#include "shared_mailbox.hpp"

#include <cassert>
#include <fcntl.h>
#include <unistd.h>

#ifndef ORDER
#define ORDER std::memory_order_release
#endif

static int state = 1;

int main() {
    const int file = shm_open("/mailbox", O_RDWR | O_CREAT, 0600);
    assert(ftruncate(file, sizeof(mailbox)) == 0);
    mailbox* const box = map(file);
    box->text = 7;
    box->ready.store(1, ORDER);
    assert(mapped == 1 && state++ == 1);
}
