// SPDX-License-Identifier: Apache-2.0
#include "machine.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>

namespace ringproof::litmus::ring {
namespace {

option none() { return {"none", cost_nothing, "", "", false}; }
option branch() { return {"ctrl", cost_branch, "", "", true}; }
option fence(std::string name, std::string text, int cost = cost_one_way, bool under_branch = false) {
    return {std::move(name), cost, "", std::move(text), under_branch};
}
option access(std::string name, std::string text, int cost = cost_one_way, bool under_branch = false) {
    return {std::move(name), cost, std::move(text), "", under_branch};
}

machine x86() {
    machine m{"x86-tso", "x86-64 (TSO)", dialect::x86, "x86-tso", false, {}, {}, {}};
    const option lfence = fence("lfence", "LFENCE"), sfence = fence("sfence", "SFENCE"),
                 mfence = fence("mfence", "MFENCE", cost_full);
    m.letters[0] = {none(), branch(), lfence, mfence};
    m.letters[1] = {none(), sfence, mfence};
    m.letters[2] = {none(), lfence, mfence};
    m.letters[3] = {none(), lfence, sfence, mfence};
    // smp_wmb() and smp_rmb() are no instruction there; a release store and an acquire load are plain.
    m.documented = {"ctrl", "none", "none", "mfence"};
    m.acquire_release = {"ctrl", "none", "none", "none"};
    return m;
}

machine aarch64() {
    machine m{"aarch64", "AArch64", dialect::aarch64, "aarch64", false, {}, {}, {}};
    const option ld = fence("dmb.ld", "DMB ISHLD"), st = fence("dmb.st", "DMB ISHST"),
                 sy = fence("dmb.sy", "DMB ISH", cost_full);
    const option ldar = access("ldar", "LDAR"), ldapr = access("ldapr", "LDAPR"),
                 stlr = access("stlr", "STLR");
    const option isb = fence("ctrlisb", "ISB", cost_one_way, true);
    m.letters[0] = {none(), branch(), ldapr, ldar, ld, st, sy};
    m.letters[1] = {none(), st, ld, stlr, sy};
    m.letters[2] = {none(), branch(), isb, ldapr, ldar, ld, st, sy};
    m.letters[3] = {none(), ld, st, stlr, sy};
    m.documented = {"ctrl", "dmb.st", "dmb.ld", "dmb.sy"};
    m.acquire_release = {"ldapr", "stlr", "ldapr", "stlr"};
    return m;
}

machine riscv() {
    machine m{"riscv", "RISC-V", dialect::riscv, "riscv", false, {}, {}, {}};
    const option rr = fence("f.r.r", "fence r,r"), rw = fence("f.r.w", "fence r,w"),
                 ww = fence("f.w.w", "fence w,w"), acquire = fence("f.r.rw", "fence r,rw"),
                 release = fence("f.rw.w", "fence rw,w"), full = fence("f.rw.rw", "fence rw,rw", cost_full);
    m.letters[0] = {none(), branch(), rr, rw, acquire, full};
    m.letters[1] = {none(), rr, ww, release, full};
    m.letters[2] = {none(), branch(), rr, ww, acquire, full};
    m.letters[3] = {none(), rr, rw, ww, release, full};
    m.documented = {"ctrl", "f.w.w", "f.r.r", "f.rw.rw"};
    m.acquire_release = {"f.r.rw", "f.rw.w", "f.r.rw", "f.rw.w"};
    return m;
}

machine linux_kernel(bool plain) {
    machine m{plain ? "lkmm-plain" : "lkmm",
              plain ? "LKMM, plain data" : "LKMM, marked data",
              dialect::linux_kernel,
              "lkmm",
              plain,
              {},
              {},
              {}};
    const option wmb = fence("wmb", "smp_wmb"), rmb = fence("rmb", "smp_rmb"),
                 mb = fence("mb", "smp_mb", cost_full);
    const option acquire = access("acq", "smp_load_acquire"), release = access("rel", "smp_store_release");
    const option fenced[] = {fence("ctrlbarrier", "barrier", cost_compiler, true),
                             fence("ctrlrmb", "smp_rmb", cost_one_way, true),
                             access("ctrlacq", "smp_load_acquire", cost_one_way, true),
                             fence("ctrlmb", "smp_mb", cost_full, true)};
    // A plain access that does not ask first races with the other side's, whatever stands before it.
    m.letters[0] = m.letters[2] = {none(), branch()};
    m.letters[0].insert(m.letters[0].end(), std::begin(fenced), std::end(fenced));
    m.letters[2].insert(m.letters[2].end(), std::begin(fenced) + 1, std::end(fenced));
    if (!plain)
        for (std::vector<option>* load : {&m.letters[0], &m.letters[2]})
            load->insert(load->end(), {rmb, acquire, mb});
    m.letters[1] = {none(), rmb, wmb, release, mb};
    m.letters[3] = {none(), rmb, wmb, release, mb};
    m.documented = {"ctrl", "wmb", "ctrlrmb", "mb"};
    m.acquire_release = {"ctrlacq", "rel", "ctrlacq", "rel"};
    return m;
}

machine c11(const std::string& model, bool plain) {
    const std::string title = model == "rc11" ? "RC11" : "C11 as written";
    machine m{plain ? model + "-plain" : model,
              title + (plain ? ", plain data" : ", atomic data"),
              dialect::c11,
              model,
              plain,
              {},
              {},
              {}};
    const option acq = fence("facq", "memory_order_acquire", cost_one_way, true),
                 rel = fence("frel", "memory_order_release"),
                 full = fence("fsc", "memory_order_seq_cst", cost_full);
    option full_below = full;
    full_below.branch = true;
    m.letters[0] = {none(),
                    branch(),
                    access("acq", "memory_order_acquire", cost_one_way, true),
                    acq,
                    access("sc", "memory_order_seq_cst", cost_full, true),
                    full_below};
    m.letters[2] = m.letters[0];
    option rlx = none();
    rlx.name = "rlx";
    option behind = acq;
    behind.branch = false;
    m.letters[1] = {rlx, access("rel", "memory_order_release"), rel,
                    access("sc", "memory_order_seq_cst", cost_full), full};
    m.letters[3] = m.letters[1];
    m.letters[3].insert(m.letters[3].begin() + 1, behind);
    m.documented = {"ctrl", "frel", "facq", "fsc"};
    m.acquire_release = {"acq", "rel", "acq", "rel"};
    return m;
}

} // namespace

const option& machine::find(char letter, std::string_view name) const {
    for (const option& o : letters[letter - 'A'])
        if (o.name == name) return o;
    throw std::logic_error(fmt::format("{}: no option '{}' of {}", id, name, letter));
}

std::string in_words(const machine& m, const option& o) {
    if (o.cost == cost_nothing) return "nothing";
    if (o.cost == cost_branch) return "the branch";
    if (m.language == dialect::c11) {
        const std::string& order = o.access.empty() ? o.fence : o.access;
        return order.substr(std::string_view("memory_order_").size()) + (o.access.empty() ? " fence" : "");
    }
    if (!o.access.empty()) return o.access;
    if (m.language == dialect::linux_kernel) return o.fence + "()";
    return o.branch ? "the branch + " + o.fence : o.fence;
}

const std::vector<machine>& machines() {
    static const std::vector<machine> all{x86(),
                                          aarch64(),
                                          riscv(),
                                          linux_kernel(false),
                                          linux_kernel(true),
                                          c11("rc11", false),
                                          c11("rc11", true),
                                          c11("c11", false),
                                          c11("c11", true)};
    return all;
}

} // namespace ringproof::litmus::ring
