// SPDX-License-Identifier: Apache-2.0
#include <boost/lockfree/stack.hpp>
#include <thread>

int main() {
    boost::lockfree::stack<int, boost::lockfree::capacity<2>> stack;
    std::thread other([&] { stack.push(1); });
    stack.push(2);
    other.join();
}
