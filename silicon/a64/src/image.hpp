// SPDX-License-Identifier: Apache-2.0
#pragma once
// A statically linked AArch64 program, as its ELF file has it.

#include <ringproof/silicon/a64/program.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

struct Elf; // of libelf
struct Elf_Scn;

namespace ringproof::silicon::a64 {

struct segment {
    std::uint64_t address = 0;
    std::vector<std::byte> bytes; ///< as they are at the start, with the zeros behind what the file has
    bool writable = false;
};

class image {
  public:
    /// @throws std::invalid_argument for what is no such program
    explicit image(const std::string& path);

    const std::vector<segment>& segments() const { return segments_; }
    /// What each thread has of its own at its start, `thread_local` variables; and how it is aligned.
    const std::vector<std::byte>& thread_local_bytes() const { return thread_local_; }
    std::uint64_t thread_local_alignment() const { return thread_local_alignment_; }

    std::optional<std::uint64_t> address_of(const std::string& symbol) const;
    /// "producer+0x1c"; a number where no symbol covers it.
    std::string name_of(std::uint64_t address) const;
    /// Of an instruction; without a file where the program was built without -g.
    source_place line_of(std::uint64_t code) const;

  private:
    void read_segments(Elf* elf);
    void read_symbols(Elf* elf, Elf_Scn* section);

    struct named {
        std::string name;
        std::uint64_t size = 0;
    };
    std::vector<segment> segments_;
    std::vector<std::byte> thread_local_;
    std::uint64_t thread_local_alignment_ = 16;
    std::string path_;
    mutable std::map<std::uint64_t, source_place> lines_;
    std::map<std::uint64_t, named> symbols_;
    std::map<std::string, std::uint64_t> by_name_;
};

} // namespace ringproof::silicon::a64
