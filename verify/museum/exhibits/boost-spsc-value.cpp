// SPDX-License-Identifier: Apache-2.0
#include <boost/lockfree/spsc_value.hpp>
#include <cassert>
#include <thread>

int main() {
    boost::lockfree::spsc_value<int> value;
    std::thread producer([&] {
        for (int i = 1; i <= 4; ++i) value.write(i); // three slots: the fourth comes into the first one
    });
    int last = 0;
    for (int i = 0, read; i < 2; ++i)
        if (value.read(read)) {
            assert(read > last);
            last = read;
        }
    producer.join();
}
