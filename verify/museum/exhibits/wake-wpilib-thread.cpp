// SPDX-License-Identifier: Apache-2.0
// Main() is as in the library's own threads: hal's Notifier.cpp, for one.
#include <wpi/util/SafeThread.hpp>

struct notifier : wpi::util::SafeThread {
    void Main() override {
        std::unique_lock lock(m_mutex);
        while (m_active) m_cond.wait(lock);
    }
};

int main() {
    wpi::util::SafeThreadOwner<notifier> owner;
    owner.Start();
    owner.Join();
}
