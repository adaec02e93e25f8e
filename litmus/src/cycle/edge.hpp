// SPDX-License-Identifier: Apache-2.0
#pragma once
// The alphabet of cycles. A litmus test is a cycle of relations between accesses, written as words:
//
//     PodWW Rfe PodRR Fre        message passing
//
// Rfe, Fre and Coe (or Wse) lead to another thread: reads-from, from-read, coherence. Rfi, Fri and
// Coi stay in one. Pod and Pos are program order to a different or the same location; a dependency
// (DpAddr, DpData, DpCtrl) or a fence stands in for Pod or Pos. Two marks may follow, of the access a
// relation starts from and of the one it ends at: RfeLA reads by a load-acquire what a store-release
// wrote. The words are those of diy (Alglave, Maranget, "A tool suite for weak memory models").

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace ringproof::litmus::cycles {

/// A cycle that cannot be: the message says why.
struct bad_cycle : std::runtime_error {
    using std::runtime_error::runtime_error;
};

enum class access : char { read = 'R', write = 'W' };

struct edge {
    enum class kind : std::uint8_t { rf, fr, co, po, addr, data, ctrl, ctrl_fence, fence, rmw };
    kind what = kind::po;
    bool external = false; ///< rf, fr, co: to another thread
    bool same_location = false;
    access from = access::write, to = access::write;
    int fence = -1;                   ///< index into dialect::fences
    int mark_from = -1, mark_to = -1; ///< indices into dialect::marks; -1: not said

    bool is_communication() const { return what <= kind::co; }
    bool is_dependency() const { return what >= kind::addr && what <= kind::ctrl_fence; }
};

/// An access of a special kind: load-acquire, locked store, sequentially consistent.
struct mark {
    std::string_view word;  ///< in cycles: "A"
    std::string_view label; ///< in names: "a"
    bool reads = true, writes = true;
};

struct fence {
    std::string_view word;  ///< in cycles: "DMB.SY"
    std::string_view label; ///< in names: "dmb.sy"
    std::string_view code;
};

struct dialect {
    enum class id : std::uint8_t { c, x86, aarch64, riscv };
    id what = id::c;
    std::string_view name;   ///< as at the head of a test
    std::vector<mark> marks; ///< the first is the ordinary access
    std::vector<fence> fences;
    bool address_dependencies = true, other_dependencies = true;
    std::string_view ctrl_fence; ///< code that orders loads behind a branch; "" if there is none
    std::vector<edge> alphabet;  ///< every edge, without marks
};

/// @param name "C", "X86", "AArch64" or "RISCV" in any case; nullptr if it is none of them
const dialect* find_dialect(std::string_view name);
const std::vector<dialect>& dialects();

/// "DMB.SYdWW", with marks if it has any
std::string word_of(const dialect& d, const edge& e);
/// What an edge is called in a test's name: "po", "dmb.sy", "addr", "popl"
std::string label_of(const dialect& d, const edge& e, int mark_from, int mark_to);
/// @throws bad_cycle
edge parse_edge(const dialect& d, std::string_view word);
/// The edges of the alphabet whose word a pattern fits, in which '*' stands for any characters.
/// @throws bad_cycle if none does
std::vector<edge> matching_edges(const dialect& d, std::string_view pattern);

} // namespace ringproof::litmus::cycles
