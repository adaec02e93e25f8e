// SPDX-License-Identifier: Apache-2.0
#include "c_calls.hpp"
#include "../parse/text.hpp"

#include <fmt/format.h>
#include <unordered_map>

namespace ringproof::litmus::c {
namespace {

using table = std::unordered_map<std::string, call_meaning>;

struct operation {
    const char* name;
    arithmetic how;
};
constexpr operation operations[] = {{"add", arithmetic::add},
                                    {"sub", arithmetic::subtract},
                                    {"and", arithmetic::bit_and},
                                    {"or", arithmetic::bit_or},
                                    {"xor", arithmetic::bit_xor}};

void add_c11(table& t) {
    const auto add = [&](const std::string& name, action what, arithmetic how = arithmetic::none,
                         bool weak = false) {
        call_meaning m;
        m.what = what;
        m.how = how;
        m.weak = weak;
        m.read_label = m.write_label = m.failure_label = "SC";
        t[name] = m;
        m.takes_orders = true;
        t[name + "_explicit"] = m;
    };
    add("atomic_load", action::load);
    add("atomic_store", action::store);
    add("atomic_exchange", action::exchange);
    add("atomic_compare_exchange_strong", action::compare_exchange);
    add("atomic_compare_exchange_weak", action::compare_exchange, arithmetic::none, true);
    for (const operation& o : operations) add(fmt::format("atomic_fetch_{}", o.name), action::fetch, o.how);
    call_meaning fence;
    fence.what = action::fence;
    fence.takes_orders = true;
    t["atomic_thread_fence"] = fence;
}

struct kernel_order {
    const char* suffix;
    const char* label;
};
constexpr kernel_order kernel_orders[] = {
    {"", "Mb"}, {"_relaxed", "Once"}, {"_acquire", "Acquire"}, {"_release", "Release"}};

void add_linux(table& t) {
    const auto base = [](action what, const char* label) {
        call_meaning m;
        m.what = what;
        m.linux_kernel = true;
        m.read_label = m.write_label = m.failure_label = label;
        return m;
    };
    const auto lvalue = [&](const char* name, action what, const char* label) {
        t[name] = base(what, label);
        t[name].object_is_lvalue = true;
    };
    lvalue("READ_ONCE", action::load, "Once");
    lvalue("WRITE_ONCE", action::store, "Once");
    lvalue("rcu_dereference", action::load, "Once");
    lvalue("rcu_assign_pointer", action::store, "Release");
    lvalue("smp_store_mb", action::store_then_fence, "Once");
    t["smp_store_release"] = base(action::store, "Release");
    t["smp_load_acquire"] = base(action::load, "Acquire");
    t["atomic_read"] = base(action::load, "Once");
    t["atomic_read_acquire"] = base(action::load, "Acquire");
    t["atomic_set"] = base(action::store, "Once");
    t["atomic_set_release"] = base(action::store, "Release");
    const std::pair<const char*, const char*> fences[] = {
        {"smp_mb", "Mb"},
        {"smp_rmb", "Rmb"},
        {"smp_wmb", "Wmb"},
        {"barrier", "Barrier"},
        {"smp_mb__before_atomic", "Before-atomic"},
        {"smp_mb__after_atomic", "After-atomic"},
        {"smp_mb__after_spinlock", "After-spinlock"},
        {"smp_mb__after_unlock_lock", "After-unlock-lock"},
        {"smp_mb__after_srcu_read_unlock", "After-srcu-read-unlock"},
        {"rcu_read_lock", "Rcu-lock"},
        {"rcu_read_unlock", "Rcu-unlock"},
        {"synchronize_rcu", "Sync-rcu"},
        {"synchronize_rcu_expedited", "Sync-rcu"}};
    for (const auto& [name, label] : fences) t[name] = base(action::fence, label);
    // Sleepable RCU: a lock reads a cookie from its domain, an unlock hands it back.
    for (const char* name : {"srcu_read_lock", "srcu_down_read"}) t[name] = base(action::load, "Srcu-lock");
    for (const char* name : {"srcu_read_unlock", "srcu_up_read"})
        t[name] = base(action::store, "Srcu-unlock");
    for (const char* name : {"synchronize_srcu", "synchronize_srcu_expedited"})
        t[name] = base(action::fence_at, "Sync-srcu");
    t["spin_lock"] = base(action::lock, "");
    t["spin_unlock"] = base(action::unlock, "");
    t["spin_is_locked"] = base(action::is_locked, "");
    t["spin_trylock"] = base(action::try_lock, "");
    for (const kernel_order& o : kernel_orders) {
        const auto name = [&](std::string_view stem) { return fmt::format("{}{}", stem, o.suffix); };
        for (const char* stem : {"xchg", "atomic_xchg"}) t[name(stem)] = base(action::exchange, o.label);
        for (const char* stem : {"cmpxchg", "atomic_cmpxchg"}) {
            call_meaning m = base(action::compare_and_swap, o.label);
            t[name(stem)] = m;
        }
        const auto add = [&](const std::string& stem, action what, arithmetic how, bool unit) {
            call_meaning m = base(what, o.label);
            m.how = how;
            m.unit = unit;
            m.value_first = !unit;
            t[name(stem)] = m;
        };
        for (const operation& p : operations) {
            add(fmt::format("atomic_{}_return", p.name), action::update_and_return, p.how, false);
            add(fmt::format("atomic_fetch_{}", p.name), action::fetch, p.how, false);
        }
        add("atomic_inc_return", action::update_and_return, arithmetic::add, true);
        add("atomic_dec_return", action::update_and_return, arithmetic::subtract, true);
        add("atomic_fetch_inc", action::fetch, arithmetic::add, true);
        add("atomic_fetch_dec", action::fetch, arithmetic::subtract, true);
    }
    const auto simple = [&](const std::string& name, action what, arithmetic how, bool unit,
                            const char* label) {
        call_meaning m = base(what, label);
        m.how = how;
        m.unit = unit;
        m.value_first = !unit;
        if (std::string(label) == "Noreturn") m.write_label = "Once";
        t[name] = m;
    };
    for (const operation& p : operations)
        simple(fmt::format("atomic_{}", p.name), action::fetch, p.how, false, "Noreturn");
    simple("atomic_inc", action::fetch, arithmetic::add, true, "Noreturn");
    simple("atomic_dec", action::fetch, arithmetic::subtract, true, "Noreturn");
    simple("atomic_sub_and_test", action::update_and_test, arithmetic::subtract, false, "Mb");
    simple("atomic_dec_and_test", action::update_and_test, arithmetic::subtract, true, "Mb");
    simple("atomic_inc_and_test", action::update_and_test, arithmetic::add, true, "Mb");
    simple("atomic_add_negative", action::add_negative, arithmetic::add, false, "Mb");
    call_meaning unless = base(action::add_unless, "Mb");
    unless.how = arithmetic::add;
    t["atomic_add_unless"] = unless;
}

} // namespace

const call_meaning* find_call(const std::string& name, bool linux_kernel) {
    static const auto make = [](void (*fill)(table&)) {
        table t;
        fill(t);
        return t;
    };
    static const table c11 = make(add_c11), kernel = make(add_linux);
    const table& t = linux_kernel ? kernel : c11;
    const auto at = t.find(name);
    return at == t.end() ? nullptr : &at->second;
}

bool find_primitive(const std::string& name, const std::string& tag, const std::string& sign,
                    call_meaning& m) {
    struct entry {
        action what;
        bool lvalue;
    };
    static const std::unordered_map<std::string, entry> entries{
        {"__load", {action::load, true}},
        {"__store", {action::store, true}},
        {"__fence", {action::fence, false}},
        {"__srcu", {action::fence_at, false}},
        {"__xchg", {action::exchange, false}},
        {"__cmpxchg", {action::compare_and_swap, false}},
        {"__lock", {action::lock, false}},
        {"__unlock", {action::unlock, false}},
        {"__trylock", {action::try_lock, false}},
        {"__islocked", {action::is_locked, false}},
        {"__atomic_op", {action::fetch, false}},
        {"__atomic_fetch_op", {action::fetch, false}},
        {"__atomic_op_return", {action::update_and_return, false}},
        {"__atomic_add_unless", {action::add_unless, false}}};
    const auto at = entries.find(name);
    if (at == entries.end()) return false;
    static const std::unordered_map<std::string, arithmetic> signs{{"+", arithmetic::add},
                                                                   {"-", arithmetic::subtract},
                                                                   {"&", arithmetic::bit_and},
                                                                   {"|", arithmetic::bit_or},
                                                                   {"^", arithmetic::bit_xor}};
    m = call_meaning();
    m.what = at->second.what;
    m.object_is_lvalue = at->second.lvalue;
    m.linux_kernel = true;
    m.how = name == "__atomic_add_unless" ? arithmetic::add : arithmetic::none;
    if (const auto s = signs.find(sign); s != signs.end()) m.how = s->second;
    // Tags are written in small letters or all capitals, the sets of a model with one capital.
    m.read_label = lower(tag);
    if (!m.read_label.empty() && m.read_label[0] >= 'a' && m.read_label[0] <= 'z')
        m.read_label[0] = static_cast<char>(m.read_label[0] - 'a' + 'A');
    if (name == "__atomic_op") m.read_label = "Noreturn";
    m.write_label = m.failure_label = m.read_label == "Noreturn" ? "Once" : m.read_label;
    return true;
}

std::string order_label(const std::string& name) {
    static const std::unordered_map<std::string, std::string> labels{
        {"memory_order_relaxed", "RLX"}, {"memory_order_acquire", "ACQ"},
        {"memory_order_release", "REL"}, {"memory_order_acq_rel", "ACQ_REL"},
        {"memory_order_seq_cst", "SC"},  {"memory_order_consume", "CON"}};
    const auto at = labels.find(name);
    return at == labels.end() ? std::string() : at->second;
}

} // namespace ringproof::litmus::c
