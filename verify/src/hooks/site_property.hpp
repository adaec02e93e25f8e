// SPDX-License-Identifier: Apache-2.0
#pragma once
// What debug information says of a place in the program, asked once for each place.

#include "../runtime/runtime.hpp"
#include "../trace/symbols.hpp"

#include <cfenv>
#include <map>

namespace ringproof::verify {

class site_property {
  public:
    using question = bool (*)(std::uintptr_t site, const symbols& names);
    explicit site_property(question q) : question_(q) {}

    /// To be called while a thread of the program runs, on its stack.
    bool operator()(std::uintptr_t site) {
        const auto at = known_.find(site);
        if (at != known_.end()) return at->second;
        asked_ = site;
        runtime::active()->on_engine_stack(
            {[](void* self) { static_cast<site_property*>(self)->find(); }, this});
        return found_;
    }

  private:
    void find() {
        // Hash tables compute with floating point, whose flags are a part of the thread's state.
        std::fenv_t before;
        std::fegetenv(&before);
        static const symbols names;
        found_ = known_[asked_] = question_(asked_, names);
        std::fesetenv(&before);
    }

    question question_;
    std::map<std::uintptr_t, bool> known_;
    std::uintptr_t asked_ = 0;
    bool found_ = false;
};

} // namespace ringproof::verify
