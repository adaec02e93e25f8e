// SPDX-License-Identifier: Apache-2.0
#include "data_file.hpp"

#include "build_id.hpp"
#include "event_name.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <fcntl.h>
#include <initializer_list>
#include <sys/utsname.h>
#include <system_error>
#include <unistd.h>

#include <ringproof/command/document.hpp>

namespace ringproof::record_command {
namespace {

constexpr std::uint64_t magic = 0x32454c4946524550; // "PERFILE2"
constexpr std::uint64_t header_bytes = 104;
constexpr std::size_t buffered = std::size_t{1} << 20U;

struct section {
    std::uint64_t offset, size;
};

/// Sections behind the data, by their bits in the header.
enum feature : unsigned {
    tracepoint_formats = 1,
    build_ids = 2,
    hostname = 3,
    os_release = 4,
    tool_version = 5,
    architecture = 6,
    cpus = 7,
    command_line = 11,
    sample_time = 21,
};

using bytes = std::vector<std::byte>;

template <class T>
void append(bytes& to, const T& value) {
    const auto raw = std::as_bytes(std::span(&value, 1));
    to.insert(to.end(), raw.begin(), raw.end());
}

void append_text(bytes& to, std::string_view text) {
    const std::size_t padded = (text.size() + 1 + 63) / 64 * 64;
    append(to, static_cast<std::uint32_t>(padded));
    const auto raw = std::as_bytes(std::span(text.data(), text.size()));
    to.insert(to.end(), raw.begin(), raw.end());
    to.resize(to.size() + padded - text.size());
}

bytes text(std::string_view value) {
    bytes result;
    append_text(result, value);
    return result;
}

} // namespace

data_file::data_file(const std::string& path, std::span<const file_event> events) : path_(path) {
    descriptor_ = ::open(path.c_str(), O_CREAT | O_TRUNC | O_RDWR | O_CLOEXEC, 0600);
    if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), path);
    buffer_.reserve(buffered + 65536);
    buffer_.resize(header_bytes);
    std::vector<section> ids;
    for (const file_event& one : events) {
        ids.push_back({buffer_.size(), one.ids.size() * sizeof one.ids[0]});
        for (const auto id : one.ids) put_value(id);
    }
    attrs_at_ = buffer_.size();
    for (std::size_t i = 0; i != events.size(); ++i) {
        // Of this size whatever the header we were compiled with has.
        std::array<std::byte, attribute_size> attr{};
        std::memcpy(attr.data(), &events[i].attr, std::min(sizeof events[i].attr, attr.size()));
        put(attr);
        put_value(ids[i]);
    }
    attrs_size_ = buffer_.size() - attrs_at_;
    data_at_ = buffer_.size();
    flush();
}

data_file::~data_file() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

void data_file::put(std::span<const std::byte> what) {
    buffer_.insert(buffer_.end(), what.begin(), what.end());
    if (buffer_.size() >= buffered) write_out();
}

void data_file::raw(std::span<const std::byte> what) {
    put(what);
    data_size_ += what.size();
}

void data_file::record(std::uint32_t type, std::uint16_t misc, std::span<const std::byte> payload) {
    const record_header header{type, misc, static_cast<std::uint16_t>(sizeof header + payload.size())};
    put_value(header);
    put(payload);
    data_size_ += header.size;
    if (constexpr std::size_t name_at = 64; type == PERF_RECORD_MMAP2 && payload.size() > name_at) {
        const auto name = payload.subspan(name_at);
        const auto* const text = reinterpret_cast<const char*>(name.data());
        mapped_.emplace(text, ::strnlen(text, name.size()));
    }
}

void data_file::write_out() {
    for (std::span<const std::byte> rest = buffer_; !rest.empty();) {
        const auto done = ::write(descriptor_, rest.data(), rest.size());
        if (done < 0) {
            if (errno == EINTR) continue;
            const int why = errno;
            give_up(buffer_.size() - rest.size());
            throw std::system_error(why, std::generic_category(), path_);
        }
        rest = rest.subspan(static_cast<std::size_t>(done));
    }
    buffer_.clear();
}

void data_file::give_up(std::size_t written) {
    // The buffer begins with a record, or with all that is before the first.
    const std::uint64_t end = data_at_ + data_size_,
                        first = end - std::min<std::uint64_t>(end, buffer_.size());
    std::size_t at = first < data_at_ ? static_cast<std::size_t>(data_at_ - first) : 0;
    for (record_header header{}; at + sizeof header <= written; at += header.size) {
        std::memcpy(&header, buffer_.data() + at, sizeof header);
        if (header.size < sizeof header || at + header.size > written) break;
    }
    buffer_.clear();
    if (at > written || first + at < data_at_) return; // not even the first
    data_size_ = first + at - data_at_;
    features_ = {};
    write_header();
}

void data_file::write_header() {
    const struct {
        std::uint64_t magic, size, attr_size;
        section attrs, data, event_types;
        std::array<std::uint64_t, 4> features;
    } header{magic,
             header_bytes,
             attribute_size + sizeof(section),
             {attrs_at_, attrs_size_},
             {data_at_, data_size_},
             {0, 0},
             features_};
    static_assert(sizeof header == header_bytes);
    if (::pwrite(descriptor_, &header, sizeof header, 0) != static_cast<ssize_t>(sizeof header))
        throw std::system_error(errno, std::generic_category(), path_);
}

void data_file::flush() {
    write_out();
    write_header();
}

void data_file::finish(std::span<const std::string> command, std::uint64_t first, std::uint64_t last,
                       std::span<const std::byte> tracing) {
    utsname system{};
    ::uname(&system);
    bytes cpu_counts, words, times;
    append(cpu_counts, static_cast<std::uint32_t>(::sysconf(_SC_NPROCESSORS_CONF)));
    append(cpu_counts, static_cast<std::uint32_t>(::sysconf(_SC_NPROCESSORS_ONLN)));
    append(words, static_cast<std::uint32_t>(command.size()));
    for (const std::string& word : command) append_text(words, word);
    append(times, first);
    append(times, last);
    std::vector<std::pair<feature, bytes>> all;
    if (!tracing.empty()) all.emplace_back(tracepoint_formats, bytes(tracing.begin(), tracing.end()));
    if (bytes ids = build_id_table(mapped_); !ids.empty()) all.emplace_back(build_ids, std::move(ids));
    for (auto& one : std::initializer_list<std::pair<feature, bytes>>{
             {hostname, text(system.nodename)},
             {os_release, text(system.release)},
             {tool_version, text("ringproof " + std::string(ringproof::command::version()))},
             {architecture, text(system.machine)},
             {cpus, cpu_counts},
             {command_line, words},
             {sample_time, times}})
        all.push_back(one);
    // First where each is, in the order of the bits; then what they are.
    std::uint64_t at = data_at_ + data_size_ + all.size() * sizeof(section);
    for (const auto& [bit, content] : all) {
        put_value(section{at, content.size()});
        at += content.size();
    }
    for (const auto& [bit, content] : all) {
        put(content);
        features_[bit / 64] |= std::uint64_t{1} << (bit % 64);
    }
    flush();
}

} // namespace ringproof::record_command
