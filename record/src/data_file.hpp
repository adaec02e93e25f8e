// SPDX-License-Identifier: Apache-2.0
#pragma once
// perf.data, as tools/perf/Documentation/perf.data-file-format.txt of Linux describes it.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <linux/perf_event.h>

#include <ringproof/record.hpp>

namespace ringproof::record_command {

/// Records of the tools, not of the kernel.
namespace tool_record {
inline constexpr std::uint32_t finished_round =
    68; ///< all that is older than the newest before the last is there
} // namespace tool_record

/// An event of the file, and the ids that its records name it by.
struct file_event {
    perf_event_attr attr;
    std::vector<std::uint64_t> ids;
};

/// Writes a perf.data file. The header is brought up to date by `flush`, so that a file that is never finished is
/// valid up to there; and when the disk is full, up to the last record that is on it.
class data_file {
  public:
    /// @throws std::system_error
    data_file(const std::string& path, std::span<const file_event> events);
    data_file(const data_file&) = delete;
    data_file& operator=(const data_file&) = delete;
    ~data_file();

    /// One record. @param payload of a multiple of 8 bytes
    void record(std::uint32_t type, std::uint16_t misc, std::span<const std::byte> payload);
    /// A record with its header, as it is.
    void raw(std::span<const std::byte> bytes);
    /// What has been written is in the file, and the header says so. @throws std::system_error
    void flush();

    /// Writes the sections behind the data. @param command what was run @param first, last time stamps
    /// @param tracing formats of tracepoints, or nothing @throws std::system_error
    void finish(std::span<const std::string> command, std::uint64_t first, std::uint64_t last,
                std::span<const std::byte> tracing = {});

    /// Bytes of the data section.
    [[nodiscard]] std::uint64_t size() const noexcept { return data_size_; }

  private:
    void put(std::span<const std::byte> bytes);
    template <class T>
    void put_value(const T& value) {
        static_assert(std::is_trivially_copyable_v<T>);
        put(std::as_bytes(std::span(&value, 1)));
    }
    void write_out();
    /// Of the buffer only the first bytes are in the file, for want of room: the last whole record is the last.
    void give_up(std::size_t written);
    void write_header();

    int descriptor_ = -1;
    std::string path_;
    std::vector<std::byte> buffer_;
    std::set<std::string> mapped_; ///< files that MMAP2 records name
    std::uint64_t attrs_at_ = 0, attrs_size_ = 0, data_at_ = 0, data_size_ = 0;
    std::array<std::uint64_t, 4> features_{};
};

} // namespace ringproof::record_command
