// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

struct dl_phdr_info;

namespace ringproof::verify {

/// Whether one of the objects for which `is_asked` says so names a symbol of another object that has `part` in its name.
bool imports(std::string_view part, bool (*is_asked)(const dl_phdr_info& object));

} // namespace ringproof::verify
