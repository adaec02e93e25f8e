// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

int main() {
    std::atomic<std::shared_ptr<int>> value;
    std::thread other([&] { value.store(std::make_shared<int>(1)); });
    if (const std::shared_ptr<int> seen = value.load()) assert(*seen == 1);
    other.join();
}
