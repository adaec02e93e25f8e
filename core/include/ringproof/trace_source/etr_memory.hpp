// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <stdexcept>
#include <unordered_map>
#include <vector>

namespace ringproof {

/// How a trace device gets at memory that is not in one piece.
enum class etr_mode : std::uint8_t {
    flat,           ///< it is: addresses follow one another
    scatter_gather, ///< by a table of its own: 32-bit entries, four to a page's 16 bytes, and links
    catu,           ///< by an address translation unit: 64-bit entries, tables chained in both directions
};

/// The pages of a simulated machine, by physical address. They are handed out scattered, as a real machine's are after
/// some days.
class physical_memory {
  public:
    static constexpr std::size_t page_size = 4096;
    using page = std::array<std::byte, page_size>;

    /// Pages one after the other. @return the address of the first
    std::uint64_t allocate(std::size_t pages) {
        next_ += step_;
        step_ = step_ % 7 + 1; // never twice the same distance
        const std::uint64_t first = next_ * page_size;
        for (std::size_t i = 0; i != pages; ++i) pages_.emplace(next_++, std::make_unique<page>());
        return first;
    }

    /// From `address` to the end of its page. @throws std::out_of_range where no memory is: a device gone astray
    [[nodiscard]] std::span<std::byte> at(std::uint64_t address) const {
        const auto one = pages_.find(address / page_size);
        if (one == pages_.end()) throw std::out_of_range("there is no memory at this physical address");
        return std::span(*one->second).subspan(address % page_size);
    }

    /// @throws std::out_of_range where no memory is, or not in one page
    template <class Entry>
    [[nodiscard]] Entry load(std::uint64_t address) const {
        Entry value;
        std::memcpy(&value, whole(address, sizeof value), sizeof value);
        return value;
    }
    template <class Entry>
    void store(std::uint64_t address, Entry value) const {
        std::memcpy(whole(address, sizeof value), &value, sizeof value);
    }

  private:
    [[nodiscard]] std::byte* whole(std::uint64_t address, std::size_t size) const {
        const auto there = at(address);
        if (there.size() < size) throw std::out_of_range("a table entry crosses the end of its page");
        return there.data();
    }

    std::unordered_map<std::uint64_t, std::unique_ptr<page>> pages_;
    std::uint64_t next_ = 0x80000; // 2 GiB
    std::uint64_t step_ = 1;
};

/// A device's view: offsets within its buffer, turned into physical addresses by the table that software made.
/// The formats are those of CoreSight: entry types 1 (last page), 2 (page) and 3 (next table) in bits 1:0 and the
/// address's bits 39:12 in 31:4 for the ETR; for the CATU a valid bit 0, addresses in 63:12, 256 pages to a table and
/// links to the last and the next table in entries 510 and 511.
class etr_translation {
  public:
    static constexpr std::size_t page_size = physical_memory::page_size;

    /// Makes a buffer and its table.
    /// @param memory has the pages; it must outlive this
    /// @param mode which kind of table
    /// @param size bytes, a multiple of the page size
    /// @throws std::invalid_argument
    etr_translation(physical_memory& memory, etr_mode mode, std::size_t size)
        : memory_(&memory), mode_(mode), size_(size) {
        if (size == 0 || size % page_size != 0)
            throw std::invalid_argument("the size of a trace buffer must be a multiple of 4096 bytes");
        const std::size_t count = size / page_size;
        if (mode == etr_mode::flat) {
            base_ = memory.allocate(count);
            return;
        }
        std::vector<std::uint64_t> pages;
        for (std::size_t i = 0; i != count; ++i) pages.push_back(memory.allocate(1));
        mode == etr_mode::catu ? make_catu(pages) : make_scatter_gather(pages);
    }

    /// What the device is programmed with: the buffer, or its table.
    [[nodiscard]] std::uint64_t base() const noexcept { return base_; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] etr_mode mode() const noexcept { return mode_; }

    /// The bytes from an offset to the end of its page, found as the device finds them: by walking the table.
    /// @throws std::out_of_range for an offset behind the buffer, or a table that leads nowhere
    [[nodiscard]] std::span<std::byte> at(std::size_t offset) const {
        if (offset >= size_) throw std::out_of_range("an offset beyond the end of a trace buffer");
        const std::size_t page = offset / page_size, within = offset % page_size;
        switch (mode_) {
        case etr_mode::flat:
            return memory_->at(base_ + offset);
        case etr_mode::scatter_gather:
            return memory_->at(walk_scatter_gather(page) + within);
        default:
            return memory_->at(walk_catu(page) + within);
        }
    }

  private:
    static constexpr std::size_t entries = page_size / sizeof(std::uint32_t);
    static constexpr std::size_t catu_pages = 256, catu_previous = 510, catu_next = 511;
    enum entry_type : std::uint32_t { last = 1, normal = 2, link = 3 };

    static std::uint32_t entry(std::uint64_t address, entry_type type) {
        if (address >> 40U != 0)
            throw std::out_of_range("a page beyond what the ETR's table can name (40 bits)");
        return static_cast<std::uint32_t>(address >> 12U << 4U) | type;
    }
    static std::uint64_t address(std::uint32_t entry) { return std::uint64_t{entry >> 4U} << 12U; }

    void make_scatter_gather(const std::vector<std::uint64_t>& pages) {
        std::uint64_t table = base_ = memory_->allocate(1);
        std::size_t at = 0;
        for (std::size_t i = 0; i != pages.size(); ++i) {
            const bool is_last = i + 1 == pages.size();
            if (at == entries - 1 && !is_last) {
                // The last place of a table is for the way to the next one.
                const std::uint64_t next = memory_->allocate(1);
                memory_->store(table + at * sizeof(std::uint32_t), entry(next, link));
                table = next, at = 0;
            }
            memory_->store(table + at++ * sizeof(std::uint32_t), entry(pages[i], is_last ? last : normal));
        }
    }

    [[nodiscard]] std::uint64_t walk_scatter_gather(std::size_t page) const {
        std::uint64_t table = base_;
        std::size_t links = 0;
        for (std::size_t at = 0;;) {
            const auto one = memory_->load<std::uint32_t>(table + at * sizeof(std::uint32_t));
            if ((one & 3U) == link) {
                if (++links > size_ / page_size) throw std::out_of_range("the links of a table form a cycle");
                table = address(one), at = 0;
                continue;
            }
            if (page-- == 0) return address(one);
            if ((one & 3U) != normal) throw std::out_of_range("an offset behind the last page of a table");
            ++at;
        }
    }

    void make_catu(const std::vector<std::uint64_t>& pages) {
        std::uint64_t table = 0;
        for (std::size_t i = 0; i != pages.size(); ++i) {
            if (i % catu_pages == 0) {
                const std::uint64_t next = memory_->allocate(1);
                if (table == 0)
                    base_ = next;
                else {
                    memory_->store(table + catu_next * sizeof(std::uint64_t), next | 1U);
                    memory_->store(next + catu_previous * sizeof(std::uint64_t), table | 1U);
                }
                table = next;
            }
            memory_->store(table + i % catu_pages * sizeof(std::uint64_t), pages[i] | 1U);
        }
    }

    [[nodiscard]] std::uint64_t walk_catu(std::size_t page) const {
        std::uint64_t table = base_;
        for (; page >= catu_pages; page -= catu_pages)
            table = valid(table + catu_next * sizeof(std::uint64_t));
        return valid(table + page * sizeof(std::uint64_t));
    }
    [[nodiscard]] std::uint64_t valid(std::uint64_t at) const {
        const auto one = memory_->load<std::uint64_t>(at);
        if ((one & 1U) == 0) throw std::out_of_range("an entry of a translation table that is not valid");
        return one & ~std::uint64_t{0xfff};
    }

    physical_memory* memory_;
    etr_mode mode_;
    std::size_t size_;
    std::uint64_t base_ = 0;
};

} // namespace ringproof
