// SPDX-License-Identifier: Apache-2.0
// What the shim needs of Relacy: if this compiles, the shim does.
#include <relacy/relacy.hpp>

struct probe : rl::test_suite<probe, 1> {
    static const rl::thread_id_t dynamic_thread_count = 1;
    void thread(unsigned) {
        rl::atomic<int> word;
        int seen = word.load(rl::mo_acquire, rl::debug_info("", "", 0));
        word.compare_exchange_strong(seen, 1, rl::mo_release, rl::mo_relaxed, rl::debug_info("", "", 0));
        rl::var_data* data = rl::ctx().var_ctor();
        data->store(*rl::ctx().threadx_);
        rl::ctx().var_dtor(data);
        rl::ctx()
            .create_thread([](void* p) { return p; }, nullptr, nullptr)
            ->wait(false, false, rl::debug_info());
    }
};

int main() {
    rl::test_params parameters;
    return rl::simulate<probe>(parameters) ? 0 : 1;
}
