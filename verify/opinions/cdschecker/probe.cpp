// SPDX-License-Identifier: Apache-2.0
// Two threads hand over a value. Where CDSChecker is usable, it says how many executions that has.
#include "interface.hpp"

static int word, data;

static void writer(void*) {
    store_8(&data, 1);
    model_write_action(&word, 2, 1);
}

extern "C" int user_main(int, char**) {
    model_init_action(&word, 0);
    thrd_t thread{};
    thrd_create(&thread, &writer, nullptr);
    if (model_read_action(&word, 1) == 1) model_assert(load_8(&data) == 1, __FILE__, __LINE__);
    thrd_join(thread);
    return 0;
}
