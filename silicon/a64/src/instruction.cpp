// SPDX-License-Identifier: Apache-2.0
#include "instruction.hpp"

#include "vixl.hpp"

#include <algorithm>

namespace ringproof::silicon::a64 {
namespace {

namespace v = vixl::aarch64;

register_number general(unsigned r) { return r == 31 ? no_register : static_cast<register_number>(r); }
register_number general_or_stack(unsigned r) { return static_cast<register_number>(r); }
register_number vector(unsigned r) { return static_cast<register_number>(first_vector + r); }

/// Bits `from` and up, `count` of them.
std::uint32_t field(const v::Instruction* i, unsigned from, unsigned count) {
    return (i->GetInstructionBits() >> from) & ((1u << count) - 1);
}

silicon::barrier barrier_of(std::uint32_t crm) {
    switch (crm & 3) { // the domain does not matter: all threads are in one
    case 1:
        return {true, true, false, false, false}; // LD
    case 2:
        return {false, false, false, true, false}; // ST
    default:
        return {true, true, true, true, false};
    }
}

/// Knows no instruction.
class refuses_all : public v::DecoderVisitor {
  public:
    instruction i;
#define RINGPROOF_REFUSE(NAME)                                                                               \
    void Visit##NAME(const v::Instruction*) override { i.what = kind::refused; }
    VISITOR_LIST(RINGPROOF_REFUSE)
#undef RINGPROOF_REFUSE
};

/// Fills in `i`. What no function here knows stays refused.
class classifier final : public refuses_all {
  public:
    void VisitNEON2RegMisc(const v::Instruction* in) override { vectors(in); }
    void VisitNEON2RegMiscFP16(const v::Instruction* in) override { vectors(in); }
    void VisitNEON3Different(const v::Instruction* in) override { vectors(in); }
    void VisitNEON3Same(const v::Instruction* in) override { vectors(in); }
    void VisitNEON3SameExtra(const v::Instruction* in) override { vectors(in); }
    void VisitNEON3SameFP16(const v::Instruction* in) override { vectors(in); }
    void VisitNEONAcrossLanes(const v::Instruction* in) override { vectors(in); }
    void VisitNEONByIndexedElement(const v::Instruction* in) override { vectors(in); }
    void VisitNEONExtract(const v::Instruction* in) override { vectors(in); }
    void VisitNEONPerm(const v::Instruction* in) override { vectors(in); }
    void VisitNEONScalar2RegMisc(const v::Instruction* in) override { vectors(in); }
    void VisitNEONScalar2RegMiscFP16(const v::Instruction* in) override { vectors(in); }
    void VisitNEONScalar3Diff(const v::Instruction* in) override { vectors(in); }
    void VisitNEONScalar3Same(const v::Instruction* in) override { vectors(in); }
    void VisitNEONScalar3SameExtra(const v::Instruction* in) override { vectors(in); }
    void VisitNEONScalar3SameFP16(const v::Instruction* in) override { vectors(in); }
    void VisitNEONScalarByIndexedElement(const v::Instruction* in) override { vectors(in); }
    void VisitNEONScalarCopy(const v::Instruction* in) override { vectors(in); }
    void VisitNEONScalarPairwise(const v::Instruction* in) override { vectors(in); }
    void VisitNEONScalarShiftImmediate(const v::Instruction* in) override { vectors(in); }
    void VisitNEONShiftImmediate(const v::Instruction* in) override { vectors(in); }
    void VisitNEONTable(const v::Instruction* in) override { vectors(in); }

    void VisitAddSubImmediate(const v::Instruction* in) override {
        plain({general_or_stack(in->GetRn())});
        to_sum(in, true);
    }
    void VisitAddSubExtended(const v::Instruction* in) override {
        plain({general_or_stack(in->GetRn()), general(in->GetRm())});
        to_sum(in, true);
    }
    void VisitAddSubShifted(const v::Instruction* in) override {
        plain({general(in->GetRn()), general(in->GetRm())});
        to_sum(in, false);
    }
    void VisitAddSubWithCarry(const v::Instruction* in) override {
        plain({general(in->GetRn()), general(in->GetRm()), flags});
        to_sum(in, false);
    }
    void VisitLogicalImmediate(const v::Instruction* in) override {
        plain({general(in->GetRn())});
        const bool sets_flags = field(in, 29, 2) == 3;
        i.to.insert(sets_flags ? general(in->GetRd()) : general_or_stack(in->GetRd()));
        if (sets_flags) i.to.insert(flags);
    }
    void VisitLogicalShifted(const v::Instruction* in) override {
        plain({general(in->GetRn()), general(in->GetRm())});
        i.to.insert(general(in->GetRd()));
        if (field(in, 29, 2) == 3) i.to.insert(flags);
    }
    void VisitBitfield(const v::Instruction* in) override {
        plain({general(in->GetRn())});
        if (field(in, 29, 2) == 1) i.from.insert(general(in->GetRd())); // BFM keeps the other bits
        i.to.insert(general(in->GetRd()));
    }
    void VisitExtract(const v::Instruction* in) override {
        plain({general(in->GetRn()), general(in->GetRm())});
        i.to.insert(general(in->GetRd()));
    }
    void VisitMoveWideImmediate(const v::Instruction* in) override {
        plain({});
        if (field(in, 29, 2) == 3) i.from.insert(general(in->GetRd())); // MOVK
        i.to.insert(general(in->GetRd()));
    }
    void VisitPCRelAddressing(const v::Instruction* in) override {
        plain({});
        i.to.insert(general(in->GetRd()));
    }
    void VisitDataProcessing1Source(const v::Instruction* in) override {
        plain({general(in->GetRn())});
        i.to.insert(general(in->GetRd()));
    }
    void VisitDataProcessing2Source(const v::Instruction* in) override {
        plain({general(in->GetRn()), general(in->GetRm())});
        i.to.insert(general(in->GetRd()));
    }
    void VisitDataProcessing3Source(const v::Instruction* in) override {
        plain({general(in->GetRn()), general(in->GetRm()), general(in->GetRa())});
        i.to.insert(general(in->GetRd()));
    }
    void VisitConditionalCompareRegister(const v::Instruction* in) override {
        plain({general(in->GetRn()), general(in->GetRm()), flags});
        i.to.insert(flags);
    }
    void VisitConditionalCompareImmediate(const v::Instruction* in) override {
        plain({general(in->GetRn()), flags});
        i.to.insert(flags);
    }
    void VisitConditionalSelect(const v::Instruction* in) override {
        plain({general(in->GetRn()), general(in->GetRm()), flags});
        i.what = kind::select;
        i.to.insert(general(in->GetRd()));
    }

    void VisitUnconditionalBranch(const v::Instruction* in) override {
        branch({});
        if (field(in, 31, 1) == 1)
            i.to.insert(30); // BL
        else
            goes_to(in);
    }
    void VisitConditionalBranch(const v::Instruction* in) override {
        branch({flags});
        goes_to(in);
    }
    void VisitCompareBranch(const v::Instruction* in) override {
        branch({general(in->GetRt())});
        goes_to(in);
    }
    void VisitTestBranch(const v::Instruction* in) override {
        branch({general(in->GetRt())});
        goes_to(in);
    }
    void VisitUnconditionalBranchToRegister(const v::Instruction* in) override {
        branch({general(in->GetRn())});
        if (field(in, 21, 2) == 1) i.to.insert(30); // BLR
    }

    void VisitFPDataProcessing1Source(const v::Instruction* in) override { vectors(in); }
    void VisitFPDataProcessing2Source(const v::Instruction* in) override { vectors(in); }
    void VisitFPDataProcessing3Source(const v::Instruction* in) override {
        vectors(in);
        i.from.insert(vector(in->GetRa()));
    }
    void VisitFPImmediate(const v::Instruction* in) override {
        plain({});
        i.to.insert(vector(in->GetRd()));
    }
    void VisitNEONModifiedImmediate(const v::Instruction* in) override {
        plain({});
        i.to.insert(vector(in->GetRd()));
    }
    void VisitFPCompare(const v::Instruction* in) override {
        plain({vector(in->GetRn())});
        if (field(in, 3, 1) == 0) i.from.insert(vector(in->GetRm())); // not with zero
        i.to.insert(flags);
    }
    void VisitFPConditionalCompare(const v::Instruction* in) override {
        plain({vector(in->GetRn()), vector(in->GetRm()), flags});
        i.to.insert(flags);
    }
    void VisitFPConditionalSelect(const v::Instruction* in) override {
        vectors(in);
        i.what = kind::select;
        i.from.insert(flags);
    }
    void VisitFPIntegerConvert(const v::Instruction* in) override { conversion(in); }
    void VisitFPFixedPointConvert(const v::Instruction* in) override { conversion(in); }
    void VisitNEONCopy(const v::Instruction* in) override {
        const std::uint32_t how = field(in, 11, 4);
        const bool from_general = field(in, 29, 1) == 0 && (how == 1 || how == 3);
        const bool to_general = field(in, 29, 1) == 0 && (how == 5 || how == 7);
        plain({from_general ? general(in->GetRn()) : vector(in->GetRn())});
        if (field(in, 29, 1) == 1 || how == 3)
            i.from.insert(vector(in->GetRd())); // INS keeps the other elements
        i.to.insert(to_general ? general(in->GetRd()) : vector(in->GetRd()));
    }

    void VisitException(const v::Instruction* in) override {
        if ((in->GetInstructionBits() & 0xffe0001f) != 0xd4000001) return; // SVC
        i.what = kind::call;
        i.call = static_cast<std::uint16_t>(field(in, 5, 16));
    }
    void VisitSystem(const v::Instruction* in) override {
        const std::uint32_t bits = in->GetInstructionBits();
        if ((bits & 0xffffffe0) == 0xd53bd040) {
            i.what = kind::thread_pointer;
            i.to.insert(general(in->GetRt()));
        } else if ((bits & 0xfffff01f) == 0xd503201f) {
            i.what = kind::nothing; // hints
        } else if ((bits & 0xfffff0ff) == 0xd50330bf || (bits & 0xfffff0ff) == 0xd503309f) {
            i.what = kind::barrier; // DMB, DSB
            i.fence = barrier_of(field(in, 8, 4));
        } else if ((bits & 0xfffff0ff) == 0xd50330df) {
            i.what = kind::barrier; // ISB
            i.fence.instructions = true;
        }
    }

    void VisitLoadLiteral(const v::Instruction* in) override {
        if (field(in, 30, 2) == 3) return void(i.what = kind::nothing); // PRFM
        i.what = kind::load;
        i.vector = field(in, 26, 1) == 1;
        i.bytes = i.vector                ? static_cast<std::uint8_t>(4u << field(in, 30, 2))
                  : field(in, 30, 2) == 1 ? 8
                                          : 4;
        i.offset = static_cast<std::int64_t>(in->GetLiteralAddress<std::uint64_t>());
        i.data = i.vector ? vector(in->GetRt()) : general(in->GetRt());
    }
    void VisitLoadStoreUnsignedOffset(const v::Instruction* in) override {
        if (!single(in)) return;
        i.offset = static_cast<std::int64_t>(field(in, 10, 12)) * i.bytes;
    }
    void VisitLoadStoreUnscaledOffset(const v::Instruction* in) override {
        if (single(in)) i.offset = in->GetImmLS();
    }
    void VisitLoadStorePreIndex(const v::Instruction* in) override {
        if (!single(in)) return;
        i.offset = in->GetImmLS();
        i.writes_base = indexing::before;
    }
    void VisitLoadStorePostIndex(const v::Instruction* in) override {
        if (!single(in)) return;
        i.offset = in->GetImmLS();
        i.writes_base = indexing::after;
    }
    void VisitLoadStoreRegisterOffset(const v::Instruction* in) override {
        if (!single(in)) return;
        i.index = general(in->GetRm());
        const std::uint32_t option = field(in, 13, 3);
        i.index_is_word = option == 2 || option == 6;
        i.index_is_signed = option == 6 || option == 7;
        if (field(in, 12, 1) == 1) i.index_shift = static_cast<std::uint8_t>(__builtin_ctz(i.bytes));
    }
    void VisitLoadStoreRCpcUnscaledOffset(const v::Instruction* in) override {
        ordered(in, field(in, 22, 2) != 0);
        i.offset = in->GetImmLS();
        i.acquire_pc = i.what == kind::load;
        i.release = !i.acquire_pc;
        if (field(in, 22, 2) > 1) i.what = kind::refused; // LDAPURSB and its kin
    }
    void VisitLoadStorePairOffset(const v::Instruction* in) override { pair(in, indexing::offset); }
    void VisitLoadStorePairNonTemporal(const v::Instruction* in) override { pair(in, indexing::offset); }
    void VisitLoadStorePairPreIndex(const v::Instruction* in) override { pair(in, indexing::before); }
    void VisitLoadStorePairPostIndex(const v::Instruction* in) override { pair(in, indexing::after); }

    void VisitLoadStoreExclusive(const v::Instruction* in) override {
        const bool is_load = field(in, 22, 1) == 1, o0 = field(in, 15, 1) == 1;
        const bool o1 = field(in, 21, 1) == 1, o2 = field(in, 23, 1) == 1;
        ordered(in, is_load);
        if (o2 && o1) { // CAS
            i.what = kind::exchange;
            i.does = operation::compare;
            i.expected = general(in->GetRs());
            i.acquire = is_load;
            i.release = o0;
        } else if (o1) {
            exclusive_pair(in, is_load, o0);
        } else if (o2) { // LDAR, STLR; without o0 LDLAR, STLLR, which order more than is said here
            i.acquire = is_load;
            i.release = !is_load;
        } else {
            i.exclusive = true;
            i.acquire = is_load && o0;
            i.release = !is_load && o0;
            if (is_load) return;
            i.what = kind::store_exclusive;
            i.status = general(in->GetRs());
        }
    }
    void VisitAtomicMemory(const v::Instruction* in) override {
        const std::uint32_t op = field(in, 12, 3);
        ordered(in, true);
        if (field(in, 15, 1) == 1 && op == 4) { // LDAPR
            i.acquire_pc = true;
            return;
        }
        if (field(in, 15, 1) == 1 && op != 0) return void(i.what = kind::refused);
        i.what = kind::exchange;
        i.does = field(in, 15, 1) == 1 ? operation::swap
                                       : static_cast<operation>(static_cast<unsigned>(operation::add) + op);
        i.expected = i.data; // gets the old value
        i.data = general(in->GetRs());
        i.acquire = field(in, 23, 1) == 1;
        i.release = field(in, 22, 1) == 1;
    }

  private:
    /// CASP, and LDXP, LDAXP, STXP, STLXP.
    void exclusive_pair(const v::Instruction* in, bool is_load, bool o0) {
        i.bytes = static_cast<std::uint8_t>(4u << field(in, 30, 1));
        i.count = 2;
        i.single = static_cast<std::uint8_t>(2 * i.bytes);
        if (field(in, 31, 1) == 0) {
            i.what = kind::exchange;
            i.does = operation::compare;
            i.expected = general(in->GetRs());
            i.second_expected = general(in->GetRs() + 1);
            i.second = general(in->GetRt() + 1);
            i.acquire = is_load;
            i.release = o0;
            return;
        }
        i.second = general(in->GetRt2());
        i.exclusive = true;
        i.acquire = is_load && o0;
        i.release = !is_load && o0;
        // The manual: of a pair of X registers each is loaded as one. Both are, if the store succeeds: its own order
        // sees to that.
        if (is_load) return void(i.single = 8);
        i.what = kind::store_exclusive;
        i.status = general(in->GetRs());
    }
    void plain(std::initializer_list<register_number> from) {
        i.what = kind::plain;
        for (const register_number r : from) i.from.insert(r);
    }
    void branch(std::initializer_list<register_number> from) {
        plain(from);
        i.what = kind::branch;
    }
    void goes_to(const v::Instruction* in) {
        i.target = reinterpret_cast<std::uint64_t>(in->GetImmPCOffsetTarget());
    }
    void to_sum(const v::Instruction* in, bool stack) {
        const bool sets_flags = field(in, 29, 1) == 1;
        i.to.insert(stack && !sets_flags ? general_or_stack(in->GetRd()) : general(in->GetRd()));
        if (sets_flags) i.to.insert(flags);
    }
    /// An operand that is not there costs a dependency too many in registers that hardly any address or branch comes from;
    /// Vd, which some of them read, is left out.
    void vectors(const v::Instruction* in) {
        plain({vector(in->GetRn()), vector(in->GetRm())});
        i.to.insert(vector(in->GetRd()));
    }
    void conversion(const v::Instruction* in) {
        const std::uint32_t opcode = field(in, 16, 3);
        const bool to_general = opcode <= 1 || opcode == 4 || opcode == 5 || opcode == 6;
        const bool from_vector = to_general;
        plain({from_vector ? vector(in->GetRn()) : general(in->GetRn())});
        i.to.insert(to_general ? general(in->GetRd()) : vector(in->GetRd()));
    }
    bool single(const v::Instruction* in) {
        const std::uint32_t opc = field(in, 22, 2), size = field(in, 30, 2);
        i.vector = field(in, 26, 1) == 1;
        if (!i.vector && size == 3 && opc == 2) return void(i.what = kind::nothing), false; // PRFM
        const bool wide = i.vector && opc >= 2;
        i.bytes = static_cast<std::uint8_t>(wide ? 16u : 1u << size);
        i.what = opc == 0 || (i.vector && opc == 2) ? kind::store : kind::load;
        i.data = i.vector ? vector(in->GetRt()) : general(in->GetRt());
        i.base = general_or_stack(in->GetRn());
        return true;
    }
    void pair(const v::Instruction* in, indexing writes_base) {
        i.vector = field(in, 26, 1) == 1;
        const std::uint32_t opc = field(in, 30, 2);
        i.bytes = static_cast<std::uint8_t>(i.vector ? 4u << opc : opc == 2 ? 8u : 4u); // LDPSW loads words
        i.count = 2;
        i.what = field(in, 22, 1) == 1 ? kind::load : kind::store;
        i.data = i.vector ? vector(in->GetRt()) : general(in->GetRt());
        i.second = i.vector ? vector(in->GetRt2()) : general(in->GetRt2());
        i.base = general_or_stack(in->GetRn());
        i.offset = static_cast<std::int64_t>(in->GetImmLSPair()) * i.bytes;
        i.writes_base = writes_base;
    }
    /// Accesses with one address and one general register.
    void ordered(const v::Instruction* in, bool is_load) {
        i.what = is_load ? kind::load : kind::store;
        i.bytes = static_cast<std::uint8_t>(1u << field(in, 30, 2));
        i.data = general(in->GetRt());
        i.base = general_or_stack(in->GetRn());
    }
};

} // namespace

namespace {

/// A decoder is made once, as that takes a millisecond.
template <class Visitor>
struct decoded_by {
    Visitor visitor;
    v::Decoder decoder;
    decoded_by() { decoder.AppendVisitor(&visitor); }
    Visitor& operator()(const std::uint32_t* code) {
        decoder.Decode(reinterpret_cast<const v::Instruction*>(code));
        return visitor;
    }
};

} // namespace

instruction decode(const std::uint32_t* code) {
    static decoded_by<classifier> by;
    by.visitor.i = {};
    instruction i = by(code).i;
    constexpr std::uint8_t largest = 8;
    if (i.single == 0) i.single = std::min(i.bytes, largest);
    i.by_hand = i.acquire || i.acquire_pc || i.release || i.exclusive;
    return i;
}

std::string text_of(const std::uint32_t* code) {
    static decoded_by<v::Disassembler> by;
    return by(code).GetOutput();
}

} // namespace ringproof::silicon::a64
