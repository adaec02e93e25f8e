// SPDX-License-Identifier: Apache-2.0
#include "code_quality.hpp"

#include "finding.hpp"

namespace ringproof::report {

std::string to_code_quality(const summary& all) {
    json entries = json::array();
    for (const finding& f : findings_of(all)) {
        if (f.file.empty() || f.file.starts_with('/')) continue; // GitLab requires a path in the repository
        entries.push_back(
            {{"description", f.message},
             {"check_name", f.kind->id},
             {"fingerprint", f.fingerprint},
             {"severity", f.warning ? "minor" : "critical"},
             {"location", {{"path", f.file}, {"lines", {{"begin", f.line > 0 ? f.line : 1}}}}}});
    }
    return entries.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

} // namespace ringproof::report
