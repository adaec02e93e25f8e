// SPDX-License-Identifier: Apache-2.0
#include "random_riscv.hpp"
#include "random_threads.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace ringproof::litmus {
namespace {

/// One thread. x1 to x3 hold addresses, x4 that of an array; registers 10 and up are of loads, x5 and x6 are for
/// computing, x7 holds 0.
class riscv_writer : public random_writer<riscv_writer> {
  public:
    riscv_writer(std::size_t thread, std::mt19937& random) : random_writer(thread, random, "x", "x") {}

    void access() {
        if (!forced_.empty() && below(2) == 0) return load();
        switch (const unsigned which = below(12); which == 3 && !forced_.empty() ? 4 : which) {
        case 0:
            return reserved();
        case 1:
        case 2:
            return atomic();
        case 3:
            return pointer_like();
        case 4:
        case 5:
        case 6:
        case 7:
            return load();
        default:
            return store();
        }
    }
    void between() {
        if (below(forced_.empty() ? 3 : 8) == 0) text.push_back(any(fences()));
        if (below(4) == 0 && loads_ > 0) branch();
    }
    void observe(const shape_of_ends& body) {
        const auto one = [&](bool reads, const char* where) {
            if (!reads) text.push_back("li x5,3");
            text.push_back(reads ? fmt::format("lw {},0({})", fresh(), where)
                                 : fmt::format("sw x5,0({})", where));
        };
        one(!body.last_reads, "x2");
        text.push_back("fence rw,rw");
        one(!body.first_reads, "x1");
    }
    void store_to_z() {
        text.push_back("li x5,2");
        text.push_back("sw x5,0(x3)");
    }
    static std::pair<bool, bool> reads_and_writes(const std::string& line) {
        const std::string name = line.substr(0, 2);
        return {name == "lw" || name == "lr" || name == "am", name == "sw" || name == "sc" || name == "am"};
    }

  private:
    static const lines& fences() {
        static const lines all{"fence rw,rw", "fence rw,w", "fence r,rw", "fence r,r",  "fence w,w",
                               "fence r,w",   "fence w,r",  "fence w,rw", "fence rw,r", "fence.tso"};
        return all;
    }
    std::string order() { return any({"", "", ".aq", ".rl", ".aqrl"}); }

    /// A register with an address that may depend on a load.
    std::string at() {
        if (!depends()) return base();
        text.push_back(fmt::format("xor x6,{0},{0}", loaded()));
        text.push_back(fmt::format("add x6,x6,{}", base()));
        return "x6";
    }
    std::string stored() {
        if (loads_ != 0 && below(3) == 0) return loaded();
        text.push_back("li x5," + number());
        if (loads_ != 0 && below(3) == 0) {
            text.push_back(fmt::format("xor x8,{0},{0}", loaded()));
            text.push_back("add x5,x5,x8");
        }
        return "x5";
    }

    void load() {
        const std::string where = at();
        text.push_back(fmt::format("lw {},0({})", fresh(), where));
    }
    void store() {
        const std::string v = stored(), where = at();
        text.push_back(fmt::format("sw {},0({})", v, where));
    }
    void reserved() {
        const std::string to = base(), v = stored(), label = new_label();
        const bool loops = below(3) == 0;
        if (loops) text.push_back(label + ":");
        const std::string r = fresh();
        text.push_back(fmt::format("lr.w{} {},({})", order(), r, to));
        text.push_back(fmt::format("sc.w{} x9,{},({})", order(), below(3) == 0 ? r : v, to));
        if (loops) return text.push_back("bne x9,x7," + label);
        if (below(3) != 0) return;
        text.push_back("xor x9,x9,x9"); // what follows depends on the store
        text.push_back("addi x9,x9,1");
        text.push_back(fmt::format("sw x9,0({})", base()));
    }
    void atomic() {
        const std::string v = stored(), to = base(),
                          what = any({"amoswap.w", "amoadd.w", "amoor.w", "amoxor.w"});
        text.push_back(fmt::format("{}{} {},{},({})", what, order(), below(5) == 0 ? "x0" : fresh(), v, to));
    }
    void pointer_like() {
        if (loads_ == 0) return load();
        text.push_back(fmt::format("andi x6,{},1", loaded()));
        text.push_back("slli x6,x6,2");
        text.push_back("add x6,x6,x4");
        if (below(2) == 0) return text.push_back(fmt::format("lw {},0(x6)", fresh()));
        text.push_back("li x5," + number());
        text.push_back("sw x5,0(x6)");
    }
    void branch() {
        const std::string label = new_label();
        text.push_back(fmt::format("{} {},x7,{}", any({"bne", "beq"}), loaded(), label));
        if (below(2) == 0)
            text.push_back(label + ":"); // skips nothing: the dependency is all there is
        else
            open_.push_back(label);
    }
};

} // namespace

std::string random_riscv(std::mt19937& random, unsigned accesses) {
    return random_test<riscv_writer>("RISCV", "x", random, accesses);
}

std::string surrounded_riscv(std::mt19937& random) {
    return surrounded_test<riscv_writer>("RISCV", "x", random);
}

} // namespace ringproof::litmus
