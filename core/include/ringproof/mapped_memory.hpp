// SPDX-License-Identifier: Apache-2.0
#pragma once
// The kinds of memory that the system provides: anonymous mappings, shared memory (memfd_create, shm_open), and
// mappings of somebody else's (the kernel's perf ring among them).
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ringproof/ring_memory.hpp"

namespace ringproof {

/// How a mapping is made.
struct mapping {
    bool mirrored = false; ///< the data twice in a row: no record is ever split
    /// Asks for them (MADV_HUGEPAGE) where they can be, which is from a multiple of their size on. It is advice: see
    /// ring_memory::huge_pages(). Shared memory has them where /sys/kernel/mm/transparent_hugepage/shmem_enabled is
    /// not `never`; without them the mapping is as good, only slower.
    bool huge_pages = false;
};

/// Makes ring_memory: one control page and the data after it, in whole pages.
/// Every function @throws std::invalid_argument for a size that a ring can't have, std::system_error with what
/// the system said.
class mapped_memory {
  public:
    [[nodiscard]] static std::size_t page_size() {
        return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); // no static: it would have a guard to pass
    }

    /// From what address on, and how many bytes, pages can be huge: the size of x86-64, and of others with 4 KiB pages.
    static constexpr std::size_t huge_page = std::size_t{2} << 20;

    /// Memory of this process and the children it forks.
    [[nodiscard]] static ring_memory anonymous(std::size_t capacity, mapping how = {}) {
        if (how.mirrored) return shared(capacity, how, "ringproof"); // mapping twice needs something to map
        checked(capacity);
        const std::size_t length = page_size() + capacity;
        void* const base = reserve(length, how);
        if (base == MAP_FAILED || ::mmap(base, length, PROT_READ | PROT_WRITE,
                                         MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
            fail("mmap");
        return finish(base, length, capacity, capacity, -1, false, how);
    }

    /// Memory that other processes can map by its descriptor.
    [[nodiscard]] static ring_memory shared(std::size_t capacity, mapping how = {},
                                            const char* name = "ringproof") {
        checked(capacity);
        const int descriptor = ::memfd_create(name, MFD_CLOEXEC);
        if (descriptor < 0) fail("memfd_create");
        if (::ftruncate(descriptor, static_cast<off_t>(page_size() + capacity)) != 0)
            fail_and_close("ftruncate", descriptor);
        return map(descriptor, capacity, how, false);
    }

    /// Memory that other processes can map by its name, which must be new ("/name"); shm_unlink is the caller's.
    [[nodiscard]] static ring_memory named(const char* name, std::size_t capacity, mapping how = {}) {
        checked(capacity);
        const int descriptor = ::shm_open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (descriptor < 0) fail("shm_open");
        if (::ftruncate(descriptor, static_cast<off_t>(page_size() + capacity)) != 0)
            fail_and_close("ftruncate", descriptor);
        return map(descriptor, capacity, how, false);
    }

    /// A ring that somebody made by `named`.
    [[nodiscard]] static ring_memory open(const char* name, mapping how = {}) {
        const int descriptor = ::shm_open(name, O_RDWR | O_CLOEXEC, 0);
        if (descriptor < 0) fail("shm_open");
        return attach_own(descriptor, how);
    }

    /// A ring that somebody made by `shared` or `named`; the descriptor is duplicated.
    [[nodiscard]] static ring_memory attach(int descriptor, mapping how = {}) {
        const int own = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
        if (own < 0) fail("fcntl");
        return attach_own(own, how);
    }

    /// Memory that belongs to the caller and outlives the ring: one control page and the data behind it, as mmap
    /// of a perf event gives it. @param length of all of it
    [[nodiscard]] static ring_memory foreign(void* page, std::size_t length) {
        if (length <= page_size()) throw std::invalid_argument("a foreign ring has a control page and data");
        const std::size_t capacity = checked(length - page_size());
        ring_memory result;
        result.control_ = static_cast<std::byte*>(page);
        result.control_size_ = page_size();
        result.data_ = result.control_ + page_size();
        result.capacity_ = result.reach_ = capacity;
        result.attached_ = true;
        return result;
    }

  private:
    static std::size_t checked(std::size_t capacity) {
        return detail::checked_capacity(capacity, page_size(), 1, "bytes in whole pages");
    }

    [[noreturn]] static void fail(const char* call) {
        throw std::system_error(errno, std::generic_category(), call);
    }
    [[noreturn]] static void fail_and_close(const char* call, int descriptor) {
        const int code = errno;
        ::close(descriptor);
        throw std::system_error(code, std::generic_category(), call);
    }

    static ring_memory attach_own(int descriptor, mapping how) {
        struct stat about {};
        if (::fstat(descriptor, &about) != 0) fail_and_close("fstat", descriptor);
        const auto length = static_cast<std::size_t>(about.st_size);
        try {
            if (length <= page_size())
                throw std::invalid_argument("this memory of " + std::to_string(length) +
                                            " bytes is no ring: it has no page and data");
            checked(length - page_size());
        } catch (...) {
            ::close(descriptor);
            throw;
        }
        return map(descriptor, length - page_size(), how, true);
    }

    /// Addresses for what will be mapped, at a multiple of what was asked for.
    static void* reserve(std::size_t length, mapping how) noexcept {
        const std::size_t unit = how.huge_pages ? huge_page : page_size(), slack = unit - page_size();
        void* const whole =
            ::mmap(nullptr, length + slack, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (whole == MAP_FAILED || slack == 0) return whole;
        auto* const from = static_cast<std::byte*>(whole);
        const std::size_t before = (unit - reinterpret_cast<std::uintptr_t>(whole) % unit) % unit;
        const std::size_t rounded = (length + page_size() - 1) / page_size() * page_size();
        if (before != 0) ::munmap(from, before);
        if (before != slack) ::munmap(from + before + rounded, slack - before);
        return from + before;
    }

    static ring_memory map(int descriptor, std::size_t capacity, mapping how, bool attached) {
        const std::size_t once = page_size() + capacity, length = once + (how.mirrored ? capacity : 0);
        // Room for all of it first; then the parts are put in their places.
        void* const base = reserve(length, how);
        if (base == MAP_FAILED) fail_and_close("mmap", descriptor);
        const auto place = [&](std::size_t at, std::size_t size, std::size_t offset) {
            return ::mmap(static_cast<std::byte*>(base) + at, size, PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_FIXED, descriptor, static_cast<off_t>(offset)) != MAP_FAILED;
        };
        if (!place(0, once, 0) || (how.mirrored && !place(once, capacity, page_size()))) {
            const int code = errno;
            ::munmap(base, length);
            ::close(descriptor);
            throw std::system_error(code, std::generic_category(), "mmap");
        }
        return finish(base, length, capacity, how.mirrored ? 2 * capacity : capacity, descriptor, attached,
                      how);
    }

    static ring_memory finish(void* base, std::size_t length, std::size_t capacity, std::size_t reach,
                              int descriptor, bool attached, mapping how) {
        ring_memory result;
        result.huge_pages_ = how.huge_pages && ::madvise(base, length, MADV_HUGEPAGE) == 0;
        result.control_ = static_cast<std::byte*>(base);
        result.control_size_ = page_size();
        result.data_ = result.control_ + page_size();
        result.capacity_ = capacity;
        result.reach_ = reach;
        result.descriptor_ = descriptor;
        result.attached_ = attached;
        result.release_ = [](ring_memory& self) noexcept {
            ::munmap(self.control_, self.control_size_ + self.reach_);
            if (self.descriptor_ >= 0) ::close(self.descriptor_);
        };
        return result;
    }
};

} // namespace ringproof
