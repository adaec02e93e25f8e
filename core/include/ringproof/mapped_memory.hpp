// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "ringproof/cxx20.hpp"

// The kinds of memory that the system provides: anonymous mappings, shared memory (memfd_create, shm_open), and
// mappings of somebody else's (the kernel's perf ring among them).
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <stdexcept>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "ringproof/ring_memory.hpp"

namespace ringproof {

/// Pages of the system's pool (MFD_HUGETLB), which somebody has set aside: /proc/sys/vm/nr_hugepages.
enum class huge_pool : std::uint8_t {
    none,
    preferred, ///< where there are none, ordinary pages, with the advice of mapping::huge_pages
    required,  ///< where there are none, std::system_error
};

/// How a mapping is made.
struct mapping {
    bool mirrored = false; ///< the data twice in a row: no record is ever split
    /// Asks for them (MADV_HUGEPAGE) where they can be, which is from a multiple of their size on. It is advice: see
    /// ring_memory::huge_pages(). Shared memory has them where /sys/kernel/mm/transparent_hugepage/shmem_enabled is
    /// not `never`; without them the mapping is as good, only slower.
    bool huge_pages = false;
    /// Only for data of at least `mapped_memory::huge_page` bytes; the control page is a huge one then, too. What is
    /// attached has the pages that its maker chose, and memory with a name never has any of the pool.
    huge_pool pool = huge_pool::none;
};

/// Makes ring_memory: one control page and the data after it, in whole pages.
/// Every function @throws std::invalid_argument for a size that a ring can't have, std::system_error with what
/// the system said; what had been made until then (the name, too) is gone again.
///
/// **Memory that goes away.** Pages of `named` memory are taken when it is made, so that a file system that is full says so
/// then, and not by SIGBUS at some write. Memory of `shared` can't be cut by whoever has its descriptor (it is sealed);
/// what is attached by a name, or comes from somebody who does not seal, can be, and who touches it then gets SIGBUS.
class mapped_memory {
  public:
    [[nodiscard]] static std::size_t page_size() {
        return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); // no static: it would have a guard to pass
    }

    /// From what address on, and how many bytes, pages can be huge: the size of x86-64, and of others with 4 KiB pages.
    static constexpr std::size_t huge_page = std::size_t{2} << 20;

    /// Memory of this process and the children it forks.
    [[nodiscard]] static ring_memory anonymous(std::size_t capacity, mapping how = {}) {
        if (how.mirrored || how.pool != huge_pool::none)
            return shared(capacity, how, "ringproof"); // mapping twice needs something to map
        checked(capacity);
        const std::size_t length = page_size() + capacity;
        void* const base = reserve(length, how.huge_pages);
        if (base == MAP_FAILED) fail("mmap");
        if (::mmap(base, length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0) ==
            MAP_FAILED) {
            const int code = errno;
            ::munmap(base, length);
            throw std::system_error(code, std::generic_category(), "mmap");
        }
        return finish(base, page_size(), capacity, capacity, -1, false,
                      how.huge_pages && advise(base, length));
    }

    /// Memory that other processes can map by its descriptor.
    [[nodiscard]] static ring_memory shared(std::size_t capacity, mapping how = {},
                                            const char* name = "ringproof") {
        checked(capacity);
        checked(name);
        if (how.pool != huge_pool::none) {
            try {
                return of_pool(capacity, how, name);
            } catch (const std::exception&) {
                if (how.pool == huge_pool::required) throw;
                how.huge_pages = true;
            }
        }
        const int descriptor = ::memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
        if (descriptor < 0) fail("memfd_create");
        set_size(descriptor, page_size() + capacity);
        return map(descriptor, capacity, how, false, page_size());
    }

    /// Memory that other processes can map by its name, which must be new ("/name"); shm_unlink is the caller's.
    [[nodiscard]] static ring_memory named(const char* name, std::size_t capacity, mapping how = {}) {
        checked(capacity);
        checked(name);
        if (how.pool == huge_pool::required)
            throw std::invalid_argument(
                "memory with a name has no pages of the pool: use mapped_memory::shared");
        how.huge_pages = how.huge_pages || how.pool == huge_pool::preferred;
        const int descriptor = ::shm_open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (descriptor < 0) fail("shm_open of \"" + std::string(name) + '"');
        try {
            if (::ftruncate(descriptor, static_cast<off_t>(page_size() + capacity)) != 0)
                fail_and_close("ftruncate", descriptor);
            take_pages(descriptor, page_size() + capacity);
            return map(descriptor, capacity, how, false, page_size());
        } catch (...) {
            ::shm_unlink(name);
            throw;
        }
    }

    /// A ring that somebody made by `named`.
    [[nodiscard]] static ring_memory open(const char* name, mapping how = {}) {
        checked(name);
        const int descriptor = ::shm_open(name, O_RDWR | O_CLOEXEC, 0);
        if (descriptor < 0) fail("shm_open of \"" + std::string(name) + '"');
        return attach_own(descriptor, how);
    }

    /// A ring that somebody made by `shared` or `named`; the descriptor is duplicated.
    [[nodiscard]] static ring_memory attach(int descriptor, mapping how = {}) {
        const int own = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
        if (own < 0) fail("fcntl");
        return attach_own(own, how);
    }

    /// Memory that belongs to the caller and outlives the ring: one control page and the data behind it, as mmap
    /// of a perf event gives it. A consumer stores tail there, so it must be writable, unless it is for a snapshot_reader.
    /// @param page where the control page begins, a multiple of 8
    /// @param length of all of it
    [[nodiscard]] static ring_memory foreign(void* page, std::size_t length) {
        // MAP_FAILED is -1: no multiple of 8 either.
        if (page == nullptr || reinterpret_cast<std::uintptr_t>(page) % sizeof(std::uint64_t) != 0)
            throw std::invalid_argument(
                "a foreign ring begins at an address of a multiple of 8: has mmap failed?");
        if (length <= page_size())
            throw std::invalid_argument(
                "the mapping of a foreign ring needs a control page and at least one page of data");
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

    static void checked(const char* name) {
        if (name == nullptr) throw std::invalid_argument("shared memory needs a name, but the name is null");
    }

    [[noreturn]] static void fail(const std::string& call) {
        throw std::system_error(errno, std::generic_category(), call);
    }
    [[noreturn]] static void fail_and_close(const char* call, int descriptor) {
        const int code = errno;
        ::close(descriptor);
        throw std::system_error(code, std::generic_category(), call);
    }

    /// Of a memfd, for good: nobody who has the descriptor can cut it. An old system that can't seal says so by an error that
    /// does not matter.
    static void set_size(int descriptor, std::size_t size) {
        if (::ftruncate(descriptor, static_cast<off_t>(size)) != 0) fail_and_close("ftruncate", descriptor);
        static_cast<void>(::fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW));
    }

    /// Else a file system without room for them tells of it by SIGBUS.
    static void take_pages(int descriptor, std::size_t size) {
        int code = 0;
        do {
            code = ::posix_fallocate(descriptor, 0, static_cast<off_t>(size));
        } while (code == EINTR);
        if (code == 0) return;
        ::close(descriptor);
        throw std::system_error(code, std::generic_category(),
                                "posix_fallocate of " + std::to_string(size) + " bytes of shared memory");
    }

    /// Data and control page in whole huge pages, so that the data can be mapped twice.
    static ring_memory of_pool(std::size_t capacity, mapping how, const char* name) {
        if (capacity < huge_page)
            throw std::invalid_argument("a ring of " + std::to_string(capacity) +
                                        " bytes has no pages of the pool: the smallest has " +
                                        std::to_string(huge_page));
        constexpr unsigned hugetlb = 4, shift = 26; // MFD_HUGETLB, MFD_HUGE_SHIFT: not in every <sys/mman.h>
        constexpr unsigned size = std::countr_zero(huge_page);
        const int descriptor =
            ::memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING | hugetlb | size << shift);
        if (descriptor < 0) fail("memfd_create with MFD_HUGETLB");
        set_size(descriptor, huge_page + capacity);
        return map(descriptor, capacity, how, false, huge_page);
    }

    static ring_memory attach_own(int descriptor, mapping how) {
        struct stat about {};
        if (::fstat(descriptor, &about) != 0) fail_and_close("fstat", descriptor);
        const auto length = static_cast<std::size_t>(about.st_size);
        struct statfs system {};
        constexpr auto hugetlbfs = 0x958458f6U; // HUGETLBFS_MAGIC of linux/magic.h
        if (::fstatfs(descriptor, &system) != 0) fail_and_close("fstatfs", descriptor);
        const std::size_t unit =
            static_cast<std::uint32_t>(system.f_type) == hugetlbfs ? huge_page : page_size();
        try {
            if (length <= unit)
                throw std::invalid_argument("this memory of " + std::to_string(length) +
                                            " bytes is no ring: it has no page and data");
            checked(length - unit);
        } catch (...) {
            ::close(descriptor);
            throw;
        }
        return map(descriptor, length - unit, how, true, unit);
    }

    /// Addresses for what will be mapped, at a multiple of what was asked for.
    static void* reserve(std::size_t length, bool huge) noexcept {
        const std::size_t unit = huge ? huge_page : page_size(), slack = unit - page_size();
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

    static bool advise(void* base, std::size_t length) noexcept {
        return ::madvise(base, length, MADV_HUGEPAGE) == 0;
    }

    /// @param control bytes before the data: one page, of those that the descriptor has
    static ring_memory map(int descriptor, std::size_t capacity, mapping how, bool attached,
                           std::size_t control) {
        const std::size_t once = control + capacity, length = once + (how.mirrored ? capacity : 0);
        const bool pooled = control == huge_page;
        // Room for all of it first; then the parts are put in their places.
        void* const base = reserve(length, how.huge_pages || pooled);
        if (base == MAP_FAILED) fail_and_close("mmap", descriptor);
        const auto place = [&](std::size_t at, std::size_t size, std::size_t offset) {
            return ::mmap(static_cast<std::byte*>(base) + at, size, PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_FIXED, descriptor, static_cast<off_t>(offset)) != MAP_FAILED;
        };
        if (!place(0, once, 0) || (how.mirrored && !place(once, capacity, control))) {
            const int code = errno;
            ::munmap(base, length);
            ::close(descriptor);
            throw std::system_error(code, std::generic_category(),
                                    pooled ? "mmap of " + std::to_string(once / huge_page) +
                                                 " huge pages (free ones: /proc/sys/vm/nr_hugepages)"
                                           : "mmap");
        }
        return finish(base, control, capacity, how.mirrored ? 2 * capacity : capacity, descriptor, attached,
                      pooled || (how.huge_pages && advise(base, length)));
    }

    static ring_memory finish(void* base, std::size_t control, std::size_t capacity, std::size_t reach,
                              int descriptor, bool attached, bool huge) {
        ring_memory result;
        result.huge_pages_ = huge;
        result.control_ = static_cast<std::byte*>(base);
        result.control_size_ = control;
        result.data_ = result.control_ + control;
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
