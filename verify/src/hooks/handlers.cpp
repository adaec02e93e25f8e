// SPDX-License-Identifier: Apache-2.0
// What <ringproof/verify/interrupt.hpp> comes to while a program is checked.

#include "hook.hpp"

#include <ringproof/verify/interrupt.hpp>

#include <stdexcept>

namespace ringproof::verify {

void attached_handler::attach() {
    if (options.level == 0 || options.depth == 0 || options.depth > max_interrupt_depth)
        throw std::invalid_argument("an interrupt has a level of at least 1 and a depth of 1 to 4");
    if (!runtime::running()) return;
    const runtime::inside engine;
    runtime::active()->handlers().attach(*this);
}

void attached_handler::detach() {
    if (!runtime::running()) return;
    runtime::active()->handlers().detach(*this, RINGPROOF_SITE);
}

no_interrupts::no_interrupts(unsigned level) {
    if (runtime::running()) before_ = runtime::active()->handlers().mask(level, true, RINGPROOF_SITE);
}

no_interrupts::~no_interrupts() {
    if (runtime::running()) runtime::active()->handlers().mask(before_, false, RINGPROOF_SITE);
}

} // namespace ringproof::verify
