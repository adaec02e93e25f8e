// SPDX-License-Identifier: Apache-2.0
#include "source.hpp"

namespace ringproof::verify {

language language_of(std::string_view file) {
    if (file.ends_with(".c")) return language::c;
    for (const std::string_view ending : {".cpp", ".cc", ".cxx", ".C", ".c++"})
        if (file.ends_with(ending)) return language::cxx;
    return language::none;
}

} // namespace ringproof::verify
