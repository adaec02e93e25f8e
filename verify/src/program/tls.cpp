// SPDX-License-Identifier: Apache-2.0
#include "tls.hpp"

#include "libraries.hpp"

#include <algorithm>
#include <dlfcn.h>
#include <link.h>
#if defined(__x86_64__)
#include <asm/prctl.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace ringproof::verify {
namespace {

constexpr std::size_t line = 64;
std::size_t whole_lines(std::size_t size) { return (size + line - 1) & ~(line - 1); }

/// The start of glibc's record of a thread, as the x86-64 ABI fixes it ("ELF Handling For Thread-Local Storage").
struct record_head {
    std::uintptr_t self; ///< what the register points at
    std::uintptr_t table;
    std::uintptr_t self_again;
};
/// Where a library's segment is. Of the table's entries the first, at -1, has their number, and that at 0 the
/// table's age.
struct table_entry {
    std::uintptr_t value, to_free;
};

} // namespace

int thread_storage::collect(dl_phdr_info* info, std::size_t, void* to) {
    if (!info->dlpi_tls_data) return 0;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const auto& header = info->dlpi_phdr[i];
        if (header.p_type != PT_TLS || header.p_memsz == 0) continue;
        const auto begin = reinterpret_cast<std::uintptr_t>(info->dlpi_tls_data);
        const segment s{{begin, begin + header.p_memsz},
                        reinterpret_cast<const void*>(info->dlpi_addr + header.p_vaddr),
                        header.p_filesz,
                        is_part_of_program(*info)};
        auto& self = *static_cast<thread_storage*>(to);
        self.all_.push_back(s);
        if (s.executable || std::strstr(info->dlpi_name, "libstdc++")) self.own_.push_back(s);
    }
    return 0;
}

/// How large a thread's block is, if the executable has thread_local variables and a block can be made.
void thread_storage::measure_block() {
#if defined(__x86_64__)
    const bool wanted = std::any_of(all_.begin(), all_.end(), [](const segment& s) { return s.executable; });
    // For debuggers, glibc says how large its record is.
    const auto* const record =
        static_cast<const std::uint32_t*>(dlsym(RTLD_DEFAULT, "_thread_db_sizeof_pthread"));
    if (!wanted || !record) return;
    __asm__("mov %%fs:0, %0" : "=r"(pointer_));
    std::uintptr_t lowest = pointer_;
    for (const segment& s : all_) {
        constexpr std::size_t far = std::size_t{64} << 20; // what a library that was loaded late has
        if (s.range.end > pointer_ || pointer_ - s.range.begin > far)
            return; // not in the block that threads start with
        lowest = std::min(lowest, s.range.begin);
    }
    const auto* const head = reinterpret_cast<const record_head*>(pointer_);
    below_ = whole_lines(pointer_ - lowest);
    record_ = *record;
    table_ = (reinterpret_cast<const table_entry*>(head->table)[-1].value + 2) * sizeof(table_entry);
    block_size_ = below_ + whole_lines(record_) + whole_lines(table_);
    constexpr unsigned long has_fsgsbase = 2; // linux/Documentation/arch/x86/x86_64/fsgs.rst
    by_instruction_ = (getauxval(AT_HWCAP2) & has_fsgsbase) != 0;
#endif
}

void thread_storage::use(std::uintptr_t pointer) const {
#if defined(__x86_64__)
    if (by_instruction_)
        __asm__ volatile("wrfsbase %0" : : "r"(pointer) : "memory");
    else
        syscall(SYS_arch_prctl, ARCH_SET_FS, pointer);
#else
    static_cast<void>(pointer);
#endif
}

thread_storage::thread_storage(program_memory& memory) {
    dl_iterate_phdr(collect, this);
    measure_block();
    for (const segment& s : all_) {
        if (block_size_ != 0 && s.executable)
            memory.add_data(s.range);
        else
            shared_.push_back(s.range);
    }
    for (const segment& s : own_) {
        if (block_size_ != 0 && s.executable) continue;
        swapped_.push_back(s);
        swapped_size_ += s.range.size();
    }
    engine_.resize(swapped_size_);
    copy_out(reinterpret_cast<std::uintptr_t>(engine_.data()));
    swapped_size_ = whole_lines(swapped_size_); // stacks stay aligned
}

thread_storage::~thread_storage() { copy_in(reinterpret_cast<std::uintptr_t>(engine_.data())); }

void thread_storage::write_initial(const segment& s, char* to) {
    std::memcpy(to, s.image, s.image_size);
    std::memset(to + s.image_size, 0, s.range.size() - s.image_size);
}

void thread_storage::begin(unsigned t, std::uintptr_t kept) const {
    if (has_block(t)) return make_block(kept);
    for (const segment& s : swapped_) {
        auto* to = reinterpret_cast<char*>(kept);
        if (t == 0 && s.executable)
            std::memcpy(to, reinterpret_cast<const void*>(s.range.begin), s.range.size());
        else
            write_initial(s, to);
        kept += s.range.size();
    }
}

void thread_storage::make_block(std::uintptr_t kept) const {
    const std::uintptr_t pointer = kept + below_;
    std::memcpy(reinterpret_cast<void*>(kept), reinterpret_cast<const void*>(pointer_ - below_),
                below_ + record_);
    for (const segment& s : own_)
        write_initial(s, reinterpret_cast<char*>(s.range.begin - pointer_ + pointer));

    auto* const head = reinterpret_cast<record_head*>(pointer);
    auto* const table = reinterpret_cast<table_entry*>(pointer + whole_lines(record_));
    std::memcpy(table, reinterpret_cast<const table_entry*>(head->table) - 1, table_);
    for (std::size_t i = 2; i < table_ / sizeof *table; ++i)
        if (table[i].value >= pointer_ - below_ && table[i].value < pointer_)
            table[i].value += pointer - pointer_;
    *head = {pointer, reinterpret_cast<std::uintptr_t>(table + 1), pointer};
}

} // namespace ringproof::verify
