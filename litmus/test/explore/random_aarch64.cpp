// SPDX-License-Identifier: Apache-2.0
#include "random_aarch64.hpp"
#include "random_threads.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

namespace ringproof::litmus {
namespace {

/// One thread. X1 to X3 hold addresses, registers 10 and up are of loads, W5 and W6 are for computing, W7 holds 0.
class arm_writer : public random_writer<arm_writer> {
  public:
    arm_writer(std::size_t thread, std::mt19937& random) : random_writer(thread, random, "X", "W") {}

    void access() {
        if (!forced_.empty() && below(2) == 0) return load();
        switch (const unsigned which = below(15);
                (which == 4 || which == 14) && !forced_.empty() ? 5 : which) {
        case 0:
            return exclusive();
        case 1:
            return atomic();
        case 2:
            return compare_and_swap();
        case 3:
            return swap();
        case 4:
            return pointer_like();
        case 14:
            return pair();
        case 5:
        case 6:
        case 7:
        case 8:
            return load();
        default:
            return store();
        }
    }
    void between() {
        if (below(forced_.empty() ? 4 : 8) == 0)
            text.push_back(any({"DMB SY", "DMB LD", "DMB ST", "DMB ISH", "DMB ISHLD", "DMB ISHST", "DSB SY",
                                "DSB LD", "DSB ST", "DSB ISHST", "ISB", "DMB NSH"}));
        if (below(4) == 0 && loads_ > 0) branch();
        if (below(8) == 0 && loads_ > 0) select();
    }
    void observe(const shape_of_ends& body) {
        const auto one = [&](bool reads, const char* where) {
            if (!reads) text.push_back("MOV W5,#3");
            text.push_back(reads ? fmt::format("LDR {},[{}]", fresh(), where)
                                 : fmt::format("STR W5,[{}]", where));
        };
        one(!body.last_reads, "X2");
        text.push_back("DMB SY");
        one(!body.first_reads, "X1");
    }
    void store_to_z() {
        text.push_back("MOV W5,#2");
        text.push_back("STR W5,[X3]");
    }
    static std::pair<bool, bool> reads_and_writes(const std::string& line) {
        const std::string name = line.substr(0, 3);
        const bool both = name == "SWP" || name == "CAS" || name == "LDA" || name == "LDS" || name == "LDE" ||
                          name == "LDC";
        const bool load = line.starts_with("LDAR") || line.starts_with("LDAPR") || line.starts_with("LDAXR");
        return {name == "LDR" || name == "LDX" || both, line.starts_with("ST") || (both && !load)};
    }

  private:
    /// An address that may depend on a load.
    std::string at() {
        if (!depends()) return "[" + base() + "]";
        text.push_back(fmt::format("EOR W6,{0},{0}", loaded()));
        return fmt::format("[{},W6,SXTW]", base());
    }
    /// A register with a value to be stored, which may come from a load.
    std::string stored() {
        if (loads_ != 0 && below(3) == 0) return loaded();
        text.push_back("MOV W5,#" + number());
        if (loads_ != 0 && below(3) == 0) {
            text.push_back(fmt::format("EOR W6,{0},{0}", loaded()));
            text.push_back("ADD W5,W5,W6");
        }
        return "W5";
    }

    void load() {
        const std::string where = at();
        const bool plain = where.size() > 4;
        text.push_back((plain ? "LDR" : any({"LDR", "LDR", "LDAR", "LDAPR"})) + " " + fresh() + "," + where);
    }
    void store() {
        const std::string v = stored(), where = v == "W6" ? "[" + base() + "]" : at();
        text.push_back((where.size() > 4 ? "STR" : any({"STR", "STR", "STLR"})) + " " + v + "," + where);
    }
    void exclusive() {
        const std::string to = base(), v = stored(), label = new_label();
        const bool loops = below(3) == 0;
        if (loops) text.push_back(label + ":");
        const std::string r = fresh();
        text.push_back(any({"LDXR", "LDAXR"}) + fmt::format(" {},[{}]", r, to));
        if (below(4) == 0) text.push_back(fmt::format("STR W7,[{}]", base()));
        const std::string what = below(3) == 0 ? r : v;
        text.push_back(any({"STXR", "STLXR"}) + fmt::format(" W8,{},[{}]", what, to));
        if (loops) text.push_back("CBNZ W8," + label);
    }
    std::string order() { return any({"", "A", "L", "AL"}); }
    void atomic() {
        const std::string v = stored(), to = base();
        if (below(4) == 0)
            text.push_back(any({"STADD", "STADDL", "STSET"}) + fmt::format(" {},[{}]", v, to));
        else
            text.push_back(any({"LDADD", "LDSET", "LDEOR", "LDCLR"}) + order() +
                           fmt::format(" {},{},[{}]", v, below(5) == 0 ? "WZR" : fresh(), to));
    }
    void swap() {
        const std::string v = stored(), to = base();
        text.push_back("SWP" + order() + fmt::format(" {},{},[{}]", v, below(5) == 0 ? "WZR" : fresh(), to));
    }
    void compare_and_swap() {
        const std::string v = stored(), to = base(), r = fresh();
        if (loads_ > 1 && below(3) == 0)
            text.push_back(fmt::format("MOV {},W{}", r, 10 + below(loads_ - 1)));
        else
            text.push_back(fmt::format("MOV {},#{}", r, below(2)));
        text.push_back("CAS" + order() + fmt::format(" {},{},[{}]", r, v, to));
    }
    /// Which location is accessed depends on a value: X1 + 8 * value is in an array.
    void pointer_like() {
        if (loads_ == 0) return load();
        text.push_back(fmt::format("AND W6,{},#1", loaded()));
        if (below(2) == 0) {
            text.push_back(fmt::format("LDR {},[X4,W6,UXTW #2]", fresh()));
        } else {
            text.push_back("MOV W5,#" + number());
            text.push_back("STR W5,[X4,W6,UXTW #2]");
        }
    }
    void pair() {
        if (below(2) == 0) {
            const std::string first = fresh();
            text.push_back(fmt::format("LDP {},{},[X4]", first, fresh()));
        } else {
            text.push_back(fmt::format("STP {},W7,[X4]", stored()));
        }
    }
    void branch() {
        const std::string label = new_label();
        if (below(3) == 0) {
            text.push_back(fmt::format("CMP {},#{}", loaded(), below(2)));
            text.push_back(any({"B.EQ ", "B.NE ", "B.GT "}) + label);
        } else {
            text.push_back(any({"CBZ ", "CBNZ "}) + loaded() + "," + label);
        }
        if (below(2) == 0)
            text.push_back(label + ":"); // skips nothing: the dependency is all there is
        else
            open_.push_back(label);
    }
    void select() {
        text.push_back(fmt::format("CMP {},#{}", loaded(), below(2)));
        const std::string a = loaded(), b = below(2) ? loaded() : "W7";
        text.push_back(fmt::format("CSEL {},{},{},EQ", fresh(), a, b));
    }
};

} // namespace

std::string random_aarch64(std::mt19937& random, unsigned accesses) {
    return random_test<arm_writer>("AArch64", "X", random, accesses);
}

std::string surrounded_aarch64(std::mt19937& random) {
    return surrounded_test<arm_writer>("AArch64", "X", random);
}

} // namespace ringproof::litmus
