// SPDX-License-Identifier: Apache-2.0
#include "processor.hpp"

#include "vixl.hpp"

#include <cstring>

namespace ringproof::silicon::a64 {

namespace v = vixl::aarch64;

struct processor::simulator {
    v::Decoder decoder;
    v::Simulator does{&decoder};
};

processor::processor() : simulator_(std::make_unique<simulator>()) {
    simulator_->does.SetCPUFeatures(vixl::CPUFeatures::All());
    simulator_->does.ResetState();
}
processor::~processor() = default;

registers processor::all() const {
    registers r;
    for (register_number n = 0; n < 32; ++n) {
        r.general[n] = value(n);
        const v::Simulator::qreg_t q = simulator_->does.ReadQRegister(n);
        std::memcpy(r.vectors[n].data(), &q, sizeof(q));
    }
    r.flags = static_cast<std::uint32_t>(simulator_->does.ReadNzcv().GetRawValue()) & 0xf0000000u;
    r.pc = pc();
    return r;
}

void processor::set_all(const registers& to) {
    for (register_number n = 0; n < 32; ++n) {
        set(n, to.general[n]);
        v::Simulator::qreg_t q;
        std::memcpy(&q, to.vectors[n].data(), sizeof(q));
        simulator_->does.WriteQRegister(n, q, v::Simulator::NoRegLog);
    }
    simulator_->does.ReadNzcv().SetRawValue(to.flags);
    set_pc(to.pc);
}

std::uint64_t processor::pc() const { return reinterpret_cast<std::uint64_t>(simulator_->does.ReadPc()); }
void processor::set_pc(std::uint64_t address) {
    simulator_->does.WritePc(reinterpret_cast<const v::Instruction*>(address), v::Simulator::NoBranchLog);
}

std::uint64_t processor::value(register_number r) const {
    if (r == no_register) return 0;
    return static_cast<std::uint64_t>(simulator_->does.ReadXRegister(r, v::Reg31IsStackPointer));
}
void processor::set(register_number r, std::uint64_t value) {
    if (r == no_register) return;
    simulator_->does.WriteXRegister(r, static_cast<std::int64_t>(value), v::Simulator::NoRegLog,
                                    v::Reg31IsStackPointer);
}

void processor::step() {
    const std::uint32_t bits = *reinterpret_cast<const std::uint32_t*>(pc());
    simulator_->does.ExecuteInstruction();
    // VIXL 5.1 extends the sign of a W register into the upper half, where MOVK clears it.
    constexpr std::uint32_t movk_mask = 0xff800000, movk_w = 0x72800000;
    if ((bits & movk_mask) == movk_w && bits % 32 != 31) {
        const auto r = static_cast<register_number>(bits % 32);
        set(r, value(r) & 0xffff'ffff);
    }
}

} // namespace ringproof::silicon::a64
