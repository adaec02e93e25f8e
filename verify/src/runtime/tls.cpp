// SPDX-License-Identifier: Apache-2.0
#include "tls.hpp"

#include <link.h>

namespace ringproof::verify {

int thread_storage::collect(dl_phdr_info* info, std::size_t, void* to) {
    auto& self = *static_cast<thread_storage*>(to);
    const bool executable = !*info->dlpi_name;
    const bool swapped = executable || std::strstr(info->dlpi_name, "libstdc++");
    if (!info->dlpi_tls_data) return 0;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const auto& segment = info->dlpi_phdr[i];
        if (segment.p_type != PT_TLS || segment.p_memsz == 0) continue;
        const auto begin = reinterpret_cast<std::uintptr_t>(info->dlpi_tls_data);
        self.private_.push_back({begin, begin + segment.p_memsz});
        if (!swapped) continue;
        self.blocks_.push_back({{begin, begin + segment.p_memsz},
                                reinterpret_cast<const void*>(info->dlpi_addr + segment.p_vaddr),
                                segment.p_filesz,
                                executable});
        self.size_ += segment.p_memsz;
    }
    return 0;
}

thread_storage::thread_storage() {
    dl_iterate_phdr(collect, this);
    engine_.resize(size_);
    copy_out(reinterpret_cast<std::uintptr_t>(engine_.data()));
    size_ = (size_ + 63) & ~std::size_t{63}; // stacks stay aligned
}

thread_storage::~thread_storage() { copy_in(reinterpret_cast<std::uintptr_t>(engine_.data())); }

void thread_storage::begin(std::uintptr_t kept, bool first) const {
    for (const block& b : blocks_) {
        auto* to = reinterpret_cast<char*>(kept);
        if (first && b.executable) {
            std::memcpy(to, reinterpret_cast<const void*>(b.range.begin), b.range.size());
        } else {
            std::memcpy(to, b.image, b.image_size);
            std::memset(to + b.image_size, 0, b.range.size() - b.image_size);
        }
        kept += b.range.size();
    }
}

} // namespace ringproof::verify
