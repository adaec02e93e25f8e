// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace ringproof::record_command {

/// The build id in ELF notes, as files and /sys/kernel/notes have them; empty when there is none, or they are damaged.
[[nodiscard]] std::vector<std::byte> build_id_of_notes(std::span<const std::byte> notes);

/// The build id of an ELF file of this machine's kind; empty when it has none, or can't be read.
[[nodiscard]] std::vector<std::byte> build_id_of_file(const std::string& path);

/// What a perf.data file says of the programs and libraries in it, and of the kernel: who reads it elsewhere, or later,
/// can tell whether it has the same ones. Those without a build id are left out.
[[nodiscard]] std::vector<std::byte> build_id_table(const std::set<std::string>& files);

} // namespace ringproof::record_command
