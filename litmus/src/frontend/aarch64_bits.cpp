// SPDX-License-Identifier: Apache-2.0
// AArch64: instructions that move the bits or bytes of a register about.
#include "aarch64_thread.hpp"

#include <fmt/format.h>

namespace ringproof::litmus {

bool arm_thread::bits(const asm_instruction& i) {
    const auto moved = [&](const operand_value& v, int from, int count, int to) {
        const operand_value field =
            low_bits(builder_.apply(op::shift_right, v, builder_.constant(from)), count, false);
        return builder_.apply(op::shift_left, field, builder_.constant(to));
    };
    // Parts of so many bits, in the opposite order within each container.
    const auto reversed = [&](const operand_value& v, int width, int container, int part) {
        operand_value all = builder_.constant(0);
        for (int at = 0; at < width; at += part) {
            const int begin = at - at % container;
            all =
                builder_.apply(op::bit_or, all, moved(v, at, part, begin + container - part - (at - begin)));
        }
        return all;
    };
    const bool of_64_bits = i.name == "rev32" || i.name == "rev64";
    const bool reverses_bytes = of_64_bits || i.name == "rev" || i.name == "rev16";
    if (i.name != "abs" && i.name != "extr" && i.name != "rbit" && !reverses_bytes) return false;
    need(i, i.name == "extr" ? 4 : 2);
    const reg to = reg_at(i, 0);
    const int width = to.wide ? 64 : 32;
    const operand_value v = get(reg_at(i, 1));
    if (i.name == "abs") {
        const operand_value zero = builder_.constant(0);
        set(to, chosen(builder_.apply(op::less, v, zero), builder_.apply(op::sub, zero, v), v));
    } else if (i.name == "extr") {
        const operand_value low = get(reg_at(i, 2));
        const std::int64_t first = number_at(i, 3);
        if (first < 0 || first >= width) fail(i, "there is no such bit");
        const operand_value below = low_bits(low, width, false);
        set(to, first == 0 ? low
                           : builder_.apply(
                                 op::bit_or, builder_.apply(op::shift_right, below, builder_.constant(first)),
                                 builder_.apply(op::shift_left, v, builder_.constant(width - first))));
    } else if (i.name == "rbit") {
        set(to, reversed(v, width, width, 1));
    } else {
        const int container = i.name == "rev" ? width : i.name == "rev16" ? 16 : i.name == "rev32" ? 32 : 64;
        if (of_64_bits && !to.wide) fail(i, fmt::format("'{}' takes registers of 64 bits", i.name));
        set(to, reversed(v, width, container, 8));
    }
    return true;
}

} // namespace ringproof::litmus
