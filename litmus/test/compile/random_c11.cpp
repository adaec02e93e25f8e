// SPDX-License-Identifier: Apache-2.0
#include "random_c11.hpp"

#include <array>
#include <fmt/format.h>
#include <vector>

namespace ringproof::litmus::compiled {
namespace {

// The standard's distributions differ between libraries.
std::size_t below(std::mt19937& random, std::size_t n) { return random() % n; }

class program {
  public:
    explicit program(std::mt19937& random) : random_(random) {}

    std::string write() {
        const std::size_t threads = 2 + below(random_, 4) / 3;
        for (std::size_t t = 0; t < threads; ++t) thread(t);
        std::string asked;
        for (const std::string& r : shown_) asked += fmt::format("{}=0 /\\ ", r);
        return "C random\n{ }\n" + text_ + fmt::format("exists ({}[x]=1 /\\ [y]=1)\n", asked);
    }

  private:
    template <std::size_t N>
    const char* one_of(const std::array<const char*, N>& all) {
        return all[below(random_, N)];
    }

    void thread(std::size_t t) {
        registers_ = 0;
        text_ += fmt::format("P{}(atomic_int* x, atomic_int* y, atomic_int* z, int* e{}) {{\n", t, t);
        for (std::size_t a = 0, count = 2 + below(random_, 3) / 2; a < count; ++a)
            text_ += statement(t, 3 * t + a + 1);
        text_ += "}\n";
    }

    std::string result(std::size_t t) {
        shown_.push_back(fmt::format("{}:r{}", t, registers_));
        return fmt::format("int r{} = ", registers_++);
    }

    std::string statement(std::size_t t, std::size_t value) {
        static constexpr std::array orders{"relaxed", "acquire", "release", "acq_rel", "seq_cst"};
        const char* const where = one_of(std::array{"x", "y", "y", "x", "z"});
        switch (below(random_, 9)) {
        case 0:
        case 1:
            return fmt::format("  {}atomic_load_explicit({}, memory_order_{});\n", result(t), where,
                               one_of(std::array{"relaxed", "acquire", "seq_cst"}));
        case 2:
        case 3:
            return fmt::format("  atomic_store_explicit({}, {}, memory_order_{});\n", where, value,
                               one_of(std::array{"relaxed", "release", "seq_cst"}));
        case 4:
        case 5:
            return fmt::format("  atomic_thread_fence(memory_order_{});\n",
                               one_of(std::array{"acquire", "release", "acq_rel", "seq_cst"}));
        default:
            break;
        }
        const std::string to = below(random_, 5) < 2 ? result(t) : "";
        if (below(random_, 6) == 0)
            return fmt::format("  {}atomic_compare_exchange_strong_explicit({}, e{}, {}, memory_order_{}, "
                               "memory_order_relaxed);\n",
                               to, where, t, value, one_of(orders));
        const char* const how =
            one_of(std::array{"exchange", "fetch_add", "fetch_sub", "fetch_or", "fetch_and", "fetch_xor"});
        return fmt::format("  {}atomic_{}_explicit({}, {}, memory_order_{});\n", to, how, where,
                           below(random_, 3) == 0 ? 0 : value, one_of(orders));
    }

    std::mt19937& random_;
    std::string text_;
    std::size_t registers_ = 0;
    std::vector<std::string> shown_;
};

} // namespace

std::string random_c11(std::mt19937& random) { return program(random).write(); }

} // namespace ringproof::litmus::compiled
