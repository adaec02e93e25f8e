// SPDX-License-Identifier: Apache-2.0
#include "image.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <gelf.h>
#include <memory>
#include <stdexcept>
#include <unistd.h>

namespace ringproof::silicon::a64 {
namespace {

/// The file, open for libelf.
class elf_file {
  public:
    explicit elf_file(const std::string& path) : file_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
        if (file_ < 0) throw std::invalid_argument(fmt::format("{}: {}", path, std::strerror(errno)));
        elf_version(EV_CURRENT);
        elf_ = elf_begin(file_, ELF_C_READ, nullptr);
    }
    ~elf_file() {
        elf_end(elf_);
        close(file_);
    }
    elf_file(const elf_file&) = delete;
    elf_file& operator=(const elf_file&) = delete;
    Elf* get() const { return elf_; }

  private:
    int file_;
    Elf* elf_ = nullptr;
};

/// @param most of the program's memory that is left
std::vector<std::byte> bytes_of(Elf* elf, const GElf_Phdr& header, std::uint64_t& most) {
    constexpr std::uint64_t last_address = std::uint64_t{1} << 48;
    std::size_t size = 0;
    const char* const all = elf_rawfile(elf, &size);
    if (!all || header.p_offset > size || header.p_filesz > size - header.p_offset ||
        header.p_memsz < header.p_filesz)
        throw std::invalid_argument("a segment reaches behind the end of the file");
    if (header.p_memsz > most || header.p_vaddr > last_address)
        throw std::invalid_argument("a program of more than 1 GiB, or at addresses that no process has");
    most -= header.p_memsz;
    std::vector<std::byte> bytes(header.p_memsz);
    if (header.p_filesz > 0) std::memcpy(bytes.data(), all + header.p_offset, header.p_filesz);
    return bytes;
}

bool is_of_system(const char* source) { return std::strncmp(source, "/usr/", 5) == 0; }

/// Where the program calls what was inlined from a header of the system; without a file: it does not.
source_place call_of_inlined(Dwarf_Die& unit, std::uint64_t code) {
    using freed = std::unique_ptr<Dwarf_Die, decltype(&std::free)>;
    // The innermost scope, and then those in which it lies: the first call lists those of its definition instead.
    Dwarf_Die *innermost = nullptr, *scopes = nullptr;
    if (dwarf_getscopes(&unit, code, &innermost) <= 0) return {};
    const freed first(innermost, std::free);
    const int count = dwarf_getscopes_die(innermost, &scopes);
    const freed all(scopes, std::free);
    Dwarf_Files* files = nullptr;
    std::size_t file_count = 0;
    if (count <= 0 || dwarf_getsrcfiles(&unit, &files, &file_count) != 0) return {};
    for (int s = 0; s < count; ++s) { // from the innermost
        if (dwarf_tag(&scopes[s]) != DW_TAG_inlined_subroutine) continue;
        Dwarf_Attribute file, line;
        Dwarf_Word file_number = 0, line_number = 0;
        if (dwarf_formudata(dwarf_attr(&scopes[s], DW_AT_call_file, &file), &file_number) != 0 ||
            dwarf_formudata(dwarf_attr(&scopes[s], DW_AT_call_line, &line), &line_number) != 0)
            continue;
        const char* const source = dwarf_filesrc(files, file_number, nullptr, nullptr);
        if (source && !is_of_system(source)) return {source, static_cast<int>(line_number)};
    }
    return {};
}

/// Of an instruction; without a file: not known.
source_place line_in(Dwarf_Die& unit, std::uint64_t code) {
    Dwarf_Line* const line = dwarf_getsrc_die(&unit, code);
    int number = 0;
    if (!line || dwarf_lineno(line, &number) != 0) return {};
    const char* const source = dwarf_linesrc(line, nullptr, nullptr);
    if (source && is_of_system(source))
        if (source_place call = call_of_inlined(unit, code); !call.file.empty()) return call;
    return {source ? source : "?", number};
}

} // namespace

image::image(const std::string& path) : path_(path) {
    const elf_file file(path);
    GElf_Ehdr head;
    if (!file.get() || !gelf_getehdr(file.get(), &head) || head.e_machine != EM_AARCH64 ||
        gelf_getclass(file.get()) != ELFCLASS64 || head.e_ident[EI_DATA] != ELFDATA2LSB)
        throw std::invalid_argument(path + ": this is no AArch64 program");
    if (head.e_type != ET_EXEC)
        throw std::invalid_argument(path + ": link it statically (-static -no-pie), please");
    read_segments(file.get());
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(file.get(), section));) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header) || header.sh_entsize == 0) continue;
        if (header.sh_type == SHT_SYMTAB) read_symbols(file.get(), section);
    }
}

void image::read_segments(Elf* elf) {
    constexpr std::uint64_t largest_alignment = 1u << 16;
    std::uint64_t left = 1u << 30;
    std::size_t headers = 0;
    elf_getphdrnum(elf, &headers);
    for (int i = 0; i < static_cast<int>(headers); ++i) {
        GElf_Phdr header;
        if (!gelf_getphdr(elf, i, &header)) continue;
        if (header.p_type == PT_LOAD && header.p_memsz > 0)
            segments_.push_back({header.p_vaddr, bytes_of(elf, header, left), (header.p_flags & PF_W) != 0});
        if (header.p_type != PT_TLS) continue;
        thread_local_ = bytes_of(elf, header, left);
        if ((header.p_align & (header.p_align - 1)) != 0 || header.p_align > largest_alignment)
            throw std::invalid_argument(
                "thread-local variables are aligned for no power of two, or for too large a one");
        thread_local_alignment_ = std::max<std::uint64_t>(header.p_align, 16);
    }
}

void image::read_symbols(Elf* elf, Elf_Scn* section) {
    GElf_Shdr header;
    gelf_getshdr(section, &header);
    Elf_Data* const data = elf_getdata(section, nullptr);
    for (int i = 0; data && i < static_cast<int>(header.sh_size / header.sh_entsize); ++i) {
        GElf_Sym symbol;
        if (!gelf_getsym(data, i, &symbol) || symbol.st_shndx == SHN_UNDEF) continue;
        const char* const name = elf_strptr(elf, header.sh_link, symbol.st_name);
        if (!name || !*name || *name == '$') continue;
        by_name_[name] = symbol.st_value;
        if (const int type = GELF_ST_TYPE(symbol.st_info); type == STT_FUNC || type == STT_OBJECT)
            symbols_[symbol.st_value] = {name, symbol.st_size};
    }
}

std::optional<std::uint64_t> image::address_of(const std::string& symbol) const {
    const auto at = by_name_.find(symbol);
    return at == by_name_.end() ? std::nullopt : std::optional(at->second);
}

std::string image::name_of(std::uint64_t address) const {
    auto at = symbols_.upper_bound(address);
    if (at == symbols_.begin()) return fmt::format("{:#x}", address);
    --at;
    const std::uint64_t offset = address - at->first;
    if (offset == 0) return at->second.name;
    if (offset >= at->second.size) return fmt::format("{:#x}", address);
    return fmt::format("{}+{:#x}", at->second.name, offset);
}

source_place image::line_of(std::uint64_t code) const {
    const auto [known, first] = lines_.try_emplace(code);
    if (!first) return known->second;
    const elf_file file(path_);
    Dwarf* const debug = dwarf_begin_elf(file.get(), DWARF_C_READ, nullptr);
    if (!debug) return {};
    std::size_t header = 0;
    for (Dwarf_Off at = 0, next = 0; dwarf_nextcu(debug, at, &next, &header, nullptr, nullptr, nullptr) == 0;
         at = next) {
        Dwarf_Die unit;
        if (!dwarf_offdie(debug, at + header, &unit) || dwarf_haspc(&unit, code) != 1) continue;
        known->second = line_in(unit, code);
        if (!known->second.file.empty()) break;
    }
    dwarf_end(debug);
    return known->second;
}

} // namespace ringproof::silicon::a64
