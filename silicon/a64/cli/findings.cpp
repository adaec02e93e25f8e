// SPDX-License-Identifier: Apache-2.0
#include "findings.hpp"

#include <chrono>
#include <fmt/format.h>

namespace ringproof::silicon::a64 {
namespace {

struct stopped {};
struct refuted {};

const traced_run& run_of(const part_of_execution& x, std::size_t thread) {
    return static_cast<const traced_run&>(*x.threads[thread].part->ran);
}

/// " = 0x2a", of an access that has a value of a register's size.
std::string value_text(const event& e, const std::vector<std::optional<word>>& loaded,
                       const std::vector<std::optional<word>>& stored, std::size_t index) {
    const auto& all = e.is_read ? loaded : stored;
    if (e.bytes > 8 || index >= all.size() || !all[index].has_value()) return "";
    return fmt::format(" = {:#x}", all[index].value_or(word{}).low);
}

class looks final : public sink {
  public:
    looks(program& p, findings& into, const std::function<bool(std::uint64_t)>& go_on)
        : program_(p), into_(into), go_on_(go_on) {}

    void found(const part_of_execution& x) override {
        ++into_.executions;
        for (std::size_t t = 0; t < x.threads.size(); ++t) {
            if (run_of(x, t).failure.empty()) continue;
            into_.failure = run_of(x, t).failure;
            show(x);
            throw refuted{};
        }
    }
    void working() override {
        if (!go_on_(into_.executions)) throw stopped{};
    }

  private:
    void show(const part_of_execution& x) {
        for (std::size_t t = 0; t < x.threads.size(); ++t)
            for (std::size_t i = 0; i < x.events(t).size(); ++i) into_.shown.push_back(shown(x, t, i));
    }

    shown_access shown(const part_of_execution& x, std::size_t t, std::size_t i) const {
        const traced_run& ran = run_of(x, t);
        const event& e = ran.events[i];
        shown_access a{t,  i,    program_.place_text(ran.code[i]), program_.instruction_text(ran.code[i]), "",
                       {}, false};
        if (!e.is_read && !e.is_write) {
            a.what = "barrier";
            return a;
        }
        a.what = fmt::format("{} {}{}", e.is_read ? "reads" : "writes", program_.location_text(e.address),
                             value_text(e, x.threads[t].past.loaded, ran.stored, i));
        if (!e.is_read) return a;
        if (const auto& from = x.read_at(t, i).from; from && !from->is_initial())
            a.from = {static_cast<std::size_t>(from->thread), static_cast<std::size_t>(from->index)};
        else
            a.from_start = true;
        return a;
    }

    program& program_;
    findings& into_;
    const std::function<bool(std::uint64_t)>& go_on_;
};

/// @return whether it has to begin anew
bool search_once(program& p, findings& f, const std::function<bool(std::uint64_t)>& go_on) {
    f = {};
    looks to(p, f, go_on);
    try {
        const found_totals totals = explore(p, armv8(), to);
        f.blocked = totals.blocked;
        f.cut = totals.cut;
    } catch (const learnt&) {
        return true;
    } catch (const refuted&) { // found() has noted the failure
    } catch (const stopped&) {
        f.stopped = true;
    }
    f.threads = p.threads();
    return false;
}

} // namespace

findings search(program& p, const std::function<bool(std::uint64_t)>& go_on) {
    const auto begin = std::chrono::steady_clock::now();
    findings f;
    while (search_once(p, f, go_on)) {
    }
    f.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return f;
}

void print(const findings& f, std::FILE* out) {
    fmt::print(out, "    {}\n", f.failure);
    std::size_t thread = f.threads;
    for (const shown_access& a : f.shown) {
        if (a.thread != thread) fmt::print(out, "    thread {}\n", thread = a.thread);
        std::string from;
        if (a.from_start) from = "  (the value at the start)";
        if (a.from && a.from->first != a.thread)
            from = fmt::format("  (from {}.{})", a.from->first, a.from->second);
        fmt::print(out, "      {:<5} {:<22} {:<28} {}{}\n", fmt::format("{}.{}", a.thread, a.index), a.place,
                   a.instruction, a.what, from);
    }
}

} // namespace ringproof::silicon::a64
