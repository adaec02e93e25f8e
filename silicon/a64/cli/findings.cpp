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
    looks(program& p, bool hangs_fail, findings& into, const std::function<bool(std::uint64_t)>& go_on)
        : program_(p), hangs_fail_(hangs_fail), into_(into), go_on_(go_on) {}

    void found(const part_of_execution& x) override {
        ++into_.executions;
        look_for_failure(x);
    }
    /// When main() ends, the program does, whatever other threads wait for.
    bool hung(const part_of_execution& x) override {
        look_for_failure(x);
        if (run_of(x, 0).how == run::end::finished) return ++into_.executions, true;
        const std::vector<shown_wait> waits = waits_of(x);
        for (std::size_t t = 0; t < x.threads.size(); ++t)
            if (run_of(x, t).bounded) return into_.bounded = true, false; // it is woken by its time
        if (!hangs_fail_) {
            if (into_.hang.empty()) into_.hang = waits.front().place;
            return false;
        }
        into_.waits = waits;
        refute(x, hang_text(x));
    }
    void working() override {
        if (!go_on_(into_.executions)) throw stopped{};
    }

  private:
    void look_for_failure(const part_of_execution& x) {
        for (std::size_t t = 0; t < x.threads.size(); ++t)
            if (!run_of(x, t).failure.empty()) refute(x, run_of(x, t).failure);
    }
    [[noreturn]] void refute(const part_of_execution& x, const std::string& why) {
        into_.failure = why;
        show(x);
        throw refuted{};
    }
    /// The first cause: who waits for the end of a thread waits for what that thread waits for.
    static std::string hang_text(const part_of_execution& x) {
        const auto any = [&](waiting what) {
            for (std::size_t t = 0; t < x.threads.size(); ++t)
                if (run_of(x, t).how == run::end::stuck && run_of(x, t).waits == what) return true;
            return false;
        };
        if (any(waiting::condition))
            return "lost wake-up: a thread waits for ever on a condition variable that no thread will signal";
        if (any(waiting::mutex)) return "deadlock: a thread waits for a mutex that no one will unlock";
        if (any(waiting::loop)) return "a loop never ends: no thread will write what it waits for";
        return "deadlock: a thread waits for the end of a thread that does not end";
    }
    std::vector<shown_wait> waits_of(const part_of_execution& x) const {
        std::vector<shown_wait> all;
        for (std::size_t t = 0; t < x.threads.size(); ++t) {
            const traced_run& ran = run_of(x, t);
            if (ran.how != run::end::stuck || ran.waits == waiting::nothing) continue;
            std::string what, place;
            ran.waits_for.each([&](std::size_t read) {
                if (place.empty()) place = program_.place_text(ran, read);
                const std::string where = program_.location_text(ran.events[read].address);
                if (what.find(where) == std::string::npos) what += (what.empty() ? "" : ", ") + where;
            });
            all.push_back({t, place.empty() ? "a loop without accesses of shared memory" : place, what});
        }
        return all;
    }
    void show(const part_of_execution& x) {
        for (std::size_t t = 0; t < x.threads.size(); ++t)
            for (std::size_t i = 0; i < x.events(t).size(); ++i) into_.shown.push_back(shown(x, t, i));
    }

    shown_access shown(const part_of_execution& x, std::size_t t, std::size_t i) const {
        const traced_run& ran = run_of(x, t);
        const event& e = ran.events[i];
        shown_access a{t,  i,    program_.place_text(ran, i), program_.instruction_text(ran.code[i]), "",
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
    const bool hangs_fail_;
    findings& into_;
    const std::function<bool(std::uint64_t)>& go_on_;
};

/// @return whether it has to begin anew
bool search_once(program& p, bool hangs_fail, findings& f, const std::function<bool(std::uint64_t)>& go_on) {
    f = {};
    looks to(p, hangs_fail, f, go_on);
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

findings search(program& p, bool hangs_fail, const std::function<bool(std::uint64_t)>& go_on) {
    const auto begin = std::chrono::steady_clock::now();
    findings f;
    while (search_once(p, hangs_fail, f, go_on)) {
    }
    f.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return f;
}

void print(const findings& f, std::FILE* out) {
    fmt::print(out, "    {}\n", f.failure);
    for (const shown_wait& w : f.waits)
        fmt::print(out, "      thread {} waits at {}{}{}\n", w.thread, w.place, w.what.empty() ? "" : " for ",
                   w.what);
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
