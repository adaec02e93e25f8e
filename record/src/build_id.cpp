// SPDX-License-Identifier: Apache-2.0
#include "build_id.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <elf.h>
#include <fstream>
#include <iterator>
#include <limits>
#include <link.h> // ElfW
#include <string_view>

#include <linux/perf_event.h>

namespace ringproof::record_command {
namespace {

using bytes = std::vector<std::byte>;

constexpr std::uint16_t has_size = 1U << 15U; ///< PERF_RECORD_MISC_BUILD_ID_SIZE
constexpr std::uint64_t most_notes = 1U << 20U;

/// An entry of the table, before its name.
struct entry {
    std::uint32_t type;
    std::uint16_t misc, size;
    std::int32_t process; ///< -1: this machine's
    std::array<std::byte, 20> id;
    std::uint8_t id_size, reserved1;
    std::uint16_t reserved2;
};
static_assert(sizeof(entry) == 36);

void add(bytes& to, const bytes& id, std::string_view name, std::uint16_t misc) {
    if (id.empty() || name.size() > 4096) return;
    const std::size_t padded = (name.size() + 1 + 63) / 64 * 64;
    entry one{67,
              static_cast<std::uint16_t>(misc | has_size),
              static_cast<std::uint16_t>(sizeof(entry) + padded),
              -1,
              {},
              0,
              0,
              0};
    one.id_size = static_cast<std::uint8_t>(std::min(id.size(), one.id.size()));
    std::copy_n(id.begin(), one.id_size, one.id.begin());
    const auto raw = std::as_bytes(std::span(&one, 1)),
               text = std::as_bytes(std::span(name.data(), name.size()));
    to.insert(to.end(), raw.begin(), raw.end());
    to.insert(to.end(), text.begin(), text.end());
    to.resize(to.size() + padded - name.size());
}

/// `size` bytes of a file from `offset` on, or fewer.
bytes part(std::ifstream& file, std::uint64_t offset, std::uint64_t size) {
    bytes result(static_cast<std::size_t>(size));
    file.clear();
    file.seekg(static_cast<std::streamoff>(offset));
    file.read(reinterpret_cast<char*>(result.data()), static_cast<std::streamsize>(size));
    result.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
    return result;
}

template <class T>
bool load(std::span<const std::byte> from, T& to) {
    if (from.size() < sizeof to) return false;
    std::memcpy(&to, from.data(), sizeof to);
    return true;
}

} // namespace

std::vector<std::byte> build_id_of_notes(std::span<const std::byte> notes) {
    const auto aligned = [](std::size_t size) { return (size + 3) / 4 * 4; };
    for (ElfW(Nhdr) note{}; load(notes, note);) {
        notes = notes.subspan(sizeof note);
        const std::size_t name = aligned(note.n_namesz), size = aligned(note.n_descsz);
        if (note.n_namesz > notes.size() || name > notes.size() || note.n_descsz > notes.size() - name) break;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
            std::memcmp(notes.data(), "GNU", 4) == 0) {
            const auto id = notes.subspan(name, note.n_descsz);
            return {id.begin(), id.end()};
        }
        notes = notes.subspan(std::min(name + size, notes.size()));
    }
    return {};
}

std::vector<std::byte> build_id_of_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    ElfW(Ehdr) header{};
    if (!load(part(file, 0, sizeof header), header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_ident[EI_CLASS] != (sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32) ||
        header.e_phentsize != sizeof(ElfW(Phdr)))
        return {};
    const bytes table = part(file, header.e_phoff, std::uint64_t{header.e_phnum} * sizeof(ElfW(Phdr)));
    for (std::span<const std::byte> rest = table; rest.size() >= sizeof(ElfW(Phdr));
         rest = rest.subspan(sizeof(ElfW(Phdr)))) {
        ElfW(Phdr) segment{};
        if (!load(rest, segment) || segment.p_type != PT_NOTE) continue;
        const bytes notes =
            part(file, segment.p_offset, std::min<std::uint64_t>(segment.p_filesz, most_notes));
        if (bytes id = build_id_of_notes(notes); !id.empty()) return id;
    }
    return {};
}

std::vector<std::byte> build_id_table(const std::set<std::string>& files) {
    bytes result;
    std::ifstream kernel("/sys/kernel/notes", std::ios::binary);
    add(result, build_id_of_notes(part(kernel, 0, most_notes)), "[kernel.kallsyms]", PERF_RECORD_MISC_KERNEL);
    for (const std::string& one : files)
        if (one.starts_with('/')) add(result, build_id_of_file(one), one, PERF_RECORD_MISC_USER);
    return result;
}

} // namespace ringproof::record_command
