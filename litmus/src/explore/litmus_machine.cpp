// SPDX-License-Identifier: Apache-2.0
#include "litmus_machine.hpp"
#include "replayed_path.hpp"

namespace ringproof::litmus::exploring {
namespace {

using silicon::index_set;

struct tag {
    explicit tag(const char* name) : index(tag_index(name)) {}
    bool of(const event& e) const { return e.labels.test(index); }
    std::size_t index;
};

struct labelled_barrier {
    tag label;
    silicon::barrier what;
};

void add_aarch64(std::vector<labelled_barrier>& all) {
    const silicon::barrier full{true, true, true, true, false}, loads{true, true, false, false, false},
        stores{false, false, false, true, false}, done{false, false, true, true, false},
        isb{false, false, false, false, true};
    const auto add = [&](const std::string& name, const silicon::barrier& what) {
        all.push_back({tag(name.c_str()), what});
    };
    add("ISB", isb);
    for (const std::string kind : {"DMB.", "DSB."}) {
        for (const char* domain : {"SY", "ISH", "OSH"}) add(kind + domain, full);
        for (const char* domain : {"LD", "ISHLD", "OSHLD"}) add(kind + domain, loads);
        for (const char* domain : {"ST", "ISHST", "OSHST"})
            add(kind + domain, kind == "DMB." ? stores : done);
    }
}

void add_riscv(std::vector<labelled_barrier>& all) {
    all.push_back({tag("Fence.tso"), {true, true, false, true, false}});
    for (const std::string before : {"r", "w", "rw"})
        for (const std::string after : {"r", "w", "rw"}) {
            const bool br = before != "w", bw = before != "r", ar = after != "w", aw = after != "r";
            all.push_back({tag(("Fence." + before + "." + after).c_str()),
                           {br && ar, br && aw, bw && ar, bw && aw, false}});
        }
}

/// What a barrier orders. Those of the non-shareable domain and of devices: nothing between threads.
silicon::barrier barrier_of(const event& e) {
    static const std::vector<labelled_barrier> all = [] {
        std::vector<labelled_barrier> v;
        add_aarch64(v);
        add_riscv(v);
        return v;
    }();
    for (const labelled_barrier& k : all)
        if (k.label.of(e)) return k.what;
    return {};
}

} // namespace

silicon::event litmus_machine::converted(const event& e) const {
    static const tag a("A"), q("Q"), l("L"), no_return("NoRet"), x("X");          // AArch64
    static const tag acq("Acq"), rel("Rel"), acq_rel("AcqRel"), consistent("Sc"); // RISC-V
    const bool both = acq_rel.of(e) || consistent.of(e);
    silicon::event to;
    to.is_read = e.is_read;
    to.is_write = e.is_write;
    to.instruction = static_cast<std::uint32_t>(e.instance);
    if (e.address != no_expr)
        to.address = static_cast<std::uint64_t>(opened_.what.at(opened_.what.values->constant_of(e.address)));
    else
        to.fence = barrier_of(e);
    to.bytes = static_cast<std::uint32_t>(e.bytes);
    to.acquire = a.of(e) || acq.of(e) || both;
    to.acquire_pc = q.of(e);
    to.release = l.of(e) || rel.of(e) || both;
    to.atomic = x.of(e);
    to.no_return = no_return.of(e);
    to.exclusive = e.exclusive;
    to.address_from = index_set(e.address_from);
    to.data_from = index_set(e.data_from);
    to.control_from = index_set(e.control_from);
    to.picked_address = index_set(e.picked_address);
    to.picked_data = index_set(e.picked_data);
    to.picked_control = index_set(e.picked_control);
    to.beside = index_set(e.unsequenced);
    to.rmw_read = e.rmw_read;
    return to;
}

void litmus_machine::take_over(const path& p, litmus_run& result) {
    const expressions& values = *opened_.what.values;
    const auto known = [&](expr e) -> std::optional<silicon::word> {
        if (e == no_expr || !values.is_constant(e)) return std::nullopt;
        return to_word(values.constant_of(e));
    };
    for (const event& e : p.events) {
        result.events.push_back(converted(e));
        result.stored.push_back(e.is_write ? known(e.stored) : std::nullopt);
    }
    for (const auto& [name, e] : p.registers)
        if (const auto w = known(e)) result.registers[name] = from_word(*w);
}

std::shared_ptr<const silicon::run> litmus_machine::run_thread(std::size_t thread,
                                                               const silicon::history& past) {
    auto result = std::make_shared<litmus_run>();
    replayed_path path(opened_.what, static_cast<int>(thread), past, variables_[thread]);
    try {
        opened_.run(opened_.what, thread, path);
    } catch (const waits_for_loads& waits) {
        result->how = silicon::run::end::waits;
        result->waits_for = index_set(waits.from);
    } catch (const asks_for_choice& asks) {
        result->how = silicon::run::end::asks;
        result->asks_at = asks.at;
        result->alternatives = 2;
    } catch (const path_ends&) {
        result->how = silicon::run::end::impossible;
    } catch (const path_too_long&) {
        result->how = silicon::run::end::cut;
    }
    take_over(path.current(), *result);
    return result;
}

silicon::word litmus_machine::initial(std::uint64_t location) const {
    return to_word(opened_.what.initial[static_cast<std::size_t>(location)]);
}

} // namespace ringproof::litmus::exploring
