// SPDX-License-Identifier: Apache-2.0
#include "weak_sites.hpp"

#include "site_property.hpp"

namespace ringproof::verify {
namespace {

bool names_weak(std::uintptr_t site, const symbols& names) {
    for (const std::string& function : names.functions(site)) {
        if (function.find("compare_exchange_weak") != std::string::npos) return true;
        if (function.find("compare_exchange_strong") != std::string::npos) return false;
    }
    return true;
}

site_property weak{names_weak};

} // namespace

bool may_be_weak(std::uintptr_t site) { return weak(site); }

} // namespace ringproof::verify
