// SPDX-License-Identifier: Apache-2.0
#include <ThreadPool.h>

int main() {
    ThreadPool pool(1);
    pool.init();
    pool.submit([] {}).get();
    pool.shutdown();
}
