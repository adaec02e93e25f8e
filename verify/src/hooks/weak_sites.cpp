// SPDX-License-Identifier: Apache-2.0
#include "weak_sites.hpp"

#include "../trace/symbols.hpp"

#include <map>

namespace ringproof::verify {

bool may_be_weak(std::uintptr_t site) {
    static const symbols names;
    static std::map<std::uintptr_t, bool> known;
    const auto [at, fresh] = known.try_emplace(site, true);
    if (!fresh) return at->second;
    for (const std::string& function : names.functions(site)) {
        if (function.find("compare_exchange_weak") != std::string::npos) break;
        if (function.find("compare_exchange_strong") == std::string::npos) continue;
        at->second = false;
        break;
    }
    return at->second;
}

} // namespace ringproof::verify
