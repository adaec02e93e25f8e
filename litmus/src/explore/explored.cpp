// SPDX-License-Identifier: Apache-2.0
#include "explored.hpp"
#include "../cat/evaluator.hpp"
#include "litmus_machine.hpp"
#include "replayed_path.hpp"

#include <fmt/format.h>

namespace ringproof::litmus {
namespace {

using namespace exploring;
using silicon::part_of_execution;

struct too_many_states {};

class state_collector final : public silicon::sink {
  public:
    state_collector(const test& t, litmus_machine& machine, const limits& l,
                    const std::function<void(const part_of_execution&)>& each)
        : machine_(machine), question_(t, machine.what()), limits_(l), time_(l.seconds, l.interrupted),
          each_(each) {}

    void working() override { time_.spend(2'000); }
    void found(const part_of_execution& x) override {
        refuse_mixed_sizes(x);
        std::vector<value> values;
        for (std::size_t i = 0; i < question_.shown.size(); ++i) values.push_back(value_of(x, i));
        if (question_.filter && !question_.filtered_in(values)) return;
        if (each_) each_(x);
        state& s = states_[values];
        if (s.executions == 0 && states_.size() > limits_.most_states) throw too_many_states{};
        if (s.executions == 0) s.witness = question_.satisfied_by(values);
        ++s.executions;
    }

    void fill(simulation& s) {
        s.shown = question_.shown;
        s.locations = machine_.what().locations;
        for (auto& [values, one] : states_) {
            (one.witness ? s.positive : s.negative) += one.executions;
            one.values = values;
            s.states.push_back(std::move(one));
        }
        s.seconds = time_.elapsed();
    }

  private:
    value value_of(const part_of_execution& x, std::size_t shown) {
        const location& l = question_.shown[shown];
        if (l.is_register()) {
            const auto& ran =
                static_cast<const litmus_run&>(*x.threads[static_cast<std::size_t>(l.thread)].part->ran);
            const auto at = ran.registers.find(question_.register_names[shown]);
            return at == ran.registers.end() ? value{} : at->second;
        }
        if (question_.location_index[shown] < 0) return {};
        const auto where = static_cast<std::uint64_t>(question_.location_index[shown]);
        const auto writes = x.order.find(where);
        if (writes == x.order.end() || writes->second.empty()) return from_word(machine_.initial(where));
        const silicon::event_id last = writes->second.back().id;
        return from_word(*x.threads[static_cast<std::size_t>(last.thread)]
                              .part->ran->stored[static_cast<std::size_t>(last.index)]);
    }

    /// Locations are read and written whole: accesses of different sizes would be explored wrongly.
    void refuse_mixed_sizes(const part_of_execution& x) const {
        const program& p = machine_.what();
        std::vector<int> bytes;
        for (const program::placement& at : p.placed) bytes.push_back(at.bytes);
        for (std::size_t t = 0; t < x.threads.size(); ++t)
            for (const silicon::event& e : x.events(t)) {
                if (!e.is_read && !e.is_write) continue;
                int& size = bytes[static_cast<std::size_t>(e.address)];
                const int own = static_cast<int>(e.bytes);
                if (own == 0) continue;
                if (size != 0 && size != own)
                    throw cat::cannot_evaluate(fmt::format(
                        "an access of {} bytes to '{}', which has {}: of accesses of several sizes to one "
                        "location, only --engine enumerate knows the rules",
                        own, p.locations[static_cast<std::size_t>(e.address)], size));
                size = own;
            }
    }

    litmus_machine& machine_;
    const question question_;
    const limits& limits_;
    watch time_;
    const std::function<void(const part_of_execution&)>& each_;
    std::map<std::vector<value>, state> states_;
};

} // namespace

std::string cannot_explore(const test& t, const std::string& model_name) {
    if (t.dialect != "AArch64" && t.dialect != "RISCV")
        return fmt::format("--engine explore runs tests in AArch64 and RISCV only, and this one is in {}: "
                           "use --engine enumerate",
                           t.dialect);
    if (const std::string own = explorers_model(t); model_name != own)
        return fmt::format(
            "--engine explore runs this test under the model {} only, not '{}': use --engine enumerate", own,
            model_name);
    return "";
}

std::string explorers_model(const test& t) { return t.dialect == "RISCV" ? "riscv" : "aarch64"; }

explored explore_test(const test& t, int unroll, const limits& l,
                      const std::function<void(const part_of_execution&)>& each) {
    explored e;
    const bool riscv = t.dialect == "RISCV";
    litmus_machine machine(riscv ? open_riscv(t, unroll) : open_aarch64(t, unroll));
    state_collector to(t, machine, l, each);
    try {
        e.totals = silicon::explore(machine, riscv ? silicon::riscv() : silicon::armv8(), to);
    } catch (const out_of_time&) {
        e.result.complete = false;
    } catch (const too_many_states&) {
        e.result.complete = false;
        e.result.stopped_by = fmt::format("more than {} final states", l.most_states);
    } catch (const too_many_events& many) {
        throw syntax_error(
            t.from, many.offset,
            fmt::format("a thread has more than {} events: not supported", most_events_in_path));
    } catch (const expression_too_large&) {
        throw syntax_error(t.from, 0, "a thread computes a value in too many steps: not supported");
    }
    to.fill(e.result);
    e.result.unroll = unroll;
    e.result.bounded = e.totals.cut;
    e.result.candidates = e.totals.parts;
    return e;
}

} // namespace ringproof::litmus
