// SPDX-License-Identifier: Apache-2.0
#include "../../src/frontend/c_calls.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::litmus::c;

TEST_CASE("a name that both flavours of C have means in each what that flavour says") {
    const call_meaning* c11 = find_call("atomic_fetch_add", false);
    const call_meaning* kernel = find_call("atomic_fetch_add", true);
    REQUIRE(c11 != nullptr);
    REQUIRE(kernel != nullptr);
    CHECK(c11->what == action::fetch);
    CHECK(kernel->what == action::fetch);
    CHECK(c11->how == arithmetic::add);
    CHECK(kernel->linux_kernel);
    CHECK_FALSE(c11->linux_kernel);
    CHECK(kernel->value_first); // atomic_fetch_add(value, object)
    CHECK_FALSE(c11->value_first);
    CHECK(find_call("smp_mb", false) == nullptr);
    CHECK(find_call("atomic_thread_fence", true) == nullptr);
    CHECK(find_call("no_such_function", true) == nullptr);
}

TEST_CASE("what the kernel's functions return is what their names say") {
    const auto meaning = [](const char* name) {
        const call_meaning* m = find_call(name, true);
        REQUIRE(m != nullptr);
        return m->what;
    };
    CHECK(meaning("atomic_add_return") == action::update_and_return);
    CHECK(meaning("atomic_dec_and_test") == action::update_and_test);
    CHECK(meaning("atomic_add_unless") == action::add_unless);
    CHECK(meaning("smp_store_mb") == action::store_then_fence);
    CHECK(meaning("spin_lock") == action::lock);
    CHECK(find_call("READ_ONCE", true)->object_is_lvalue);
    CHECK_FALSE(find_call("smp_load_acquire", true)->object_is_lvalue);
}

TEST_CASE("memory orders have the labels that models know, anything else has none") {
    CHECK(order_label("memory_order_acquire") == "ACQ");
    CHECK(order_label("memory_order_release") == "REL");
    CHECK(order_label("memory_order_acq_rel") == "ACQ_REL");
    CHECK(order_label("memory_order_seq_cst") == "SC");
    CHECK(order_label("memory_order_relaxed") == "RLX");
    CHECK(order_label("memory_order_strong").empty());
}
