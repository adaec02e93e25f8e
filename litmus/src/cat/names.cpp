// SPDX-License-Identifier: Apache-2.0
// The names that exist without being defined. A set no event of a test belongs to is empty, so that
// one model can speak of the fences of several architectures; a name that is not here is an error.
#include "interpreter.hpp"

namespace ringproof::litmus::cat {

bool is_base_set(const std::string& name) {
    static const std::set<std::string> names{
        // every architecture
        "M", "R", "W", "F", "B", "I", "IW", "FW", "IF", "FI", "RMW", "A", "P", "L", "Q", "X", "EX", "NoRet",
        "Exp", "NExp", "Rreg", "Wreg", "BCC", "ADDR", "DATA", "SPEC", "AF", "FAULT", "T", "PTE", "SPURIOUS",
        "C",
        // X86
        "MFENCE", "SFENCE", "LFENCE", "NTW", "CL", "CLO",
        // AArch64
        "DMB.ISH", "DMB.ISHLD", "DMB.ISHST", "DMB.SY", "DMB.LD", "DMB.ST", "DMB.OSH", "DMB.OSHLD",
        "DMB.OSHST", "DMB.NSH", "DMB.NSHLD", "DMB.NSHST", "DSB.ISH", "DSB.ISHLD", "DSB.ISHST", "DSB.SY",
        "DSB.LD", "DSB.ST", "DSB.OSH", "DSB.OSHLD", "DSB.OSHST", "DSB.NSH", "DSB.NSHLD", "DSB.NSHST", "ISB",
        "DC.CVAU", "IC.IVAU", "IC.IALLU", "IC.IALLUIS", "TLBI", "ERET", "SVC", "EXC-ENTRY", "EXC-RET",
        // ARM, Power
        "DMB", "DSB", "SYNC", "LWSYNC", "EIEIO", "ISYNC",
        // RISC-V
        "Acq", "Rel", "AcqRel", "Sc", "Fence.r.r", "Fence.r.w", "Fence.r.rw", "Fence.w.r", "Fence.w.w",
        "Fence.w.rw", "Fence.rw.r", "Fence.rw.w", "Fence.rw.rw", "Fence.tso", "Fence.i",
        // C11
        "ACQ", "REL", "ACQ_REL", "SC", "RLX", "CON", "NA", "LK", "LS", "UL", "CONST", "NAL",
        // the Linux kernel
        "Once", "Acquire", "Release", "Noreturn", "Mb", "Rmb", "Wmb", "Barrier", "Rcu-lock", "Rcu-unlock",
        "Sync-rcu", "Sync-srcu", "Srcu-lock", "Srcu-unlock", "Before-atomic", "After-atomic",
        "After-spinlock", "After-unlock-lock", "After-srcu-read-unlock", "LKR", "LKW", "LF", "RL", "RU"};
    return names.count(name) != 0;
}

bool is_of_bell(const std::string& name) {
    static const std::set<std::string> names{"Marked", "Plain", "rcu-rscs", "srcu-rscs", "carry-dep"};
    return names.count(name) != 0;
}

bool is_absent_set(const std::string& name) {
    static const std::set<std::string> names{
        // registers, page tables, memory tags, fetched instructions, exceptions: herd7's, with its variants
        "Rreg", "Wreg", "BCC", "ADDR", "DATA", "SPEC", "AF", "DB", "FAULT", "T", "PTE", "SPURIOUS", "NExp",
        "DC.CVAU", "IC.IVAU", "IC.IALLU", "IC.IALLUIS", "TLBI", "TLBIIS", "TLBInXS", "ERET", "SVC",
        "EXC-ENTRY", "EXC-RET", "TagCheck", "MMU", "D-MMU", "Translation", "AccessFlag", "Instr", "EXEC",
        "UNDEF",
        // of architectures that no front end reads
        "NTW", "CL", "CLO", "SYNC", "LWSYNC", "EIEIO", "ISYNC"};
    return names.count(name) != 0;
}

bool is_base_relation(const std::string& name) {
    static const std::set<std::string> names{
        // of all tests
        "po", "int", "ext", "loc", "addr", "data", "ctrl", "rmw", "amo", "lxsx", "co0", "pco",
        // parts of an instruction or an access
        "same-instance", "sm", "si", "iico_data", "iico_ctrl", "iico_order", "pick-addr", "pick-data",
        "pick-ctrl", "pick-basic",
        // herd7's names that no front end of ours gives members
        "partial_po", "rf-reg", "inv-domain", "tst", "PTEtoPA", "same-low-order-bits", "same-tag-loc"};
    return names.count(name) != 0;
}

} // namespace ringproof::litmus::cat
