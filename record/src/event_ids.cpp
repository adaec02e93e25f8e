// SPDX-License-Identifier: Apache-2.0
#include "event_ids.hpp"

#include "sample_format.hpp"

#include <cstring>

namespace ringproof::record_command {

void event_ids::add(std::uint64_t id, std::size_t event, const perf_event_attr& attr) {
    event_of_[id] = event;
    if (attr.type != PERF_TYPE_SOFTWARE || attr.config == PERF_COUNT_SW_DUMMY) return;
    if (!software_id_) software_id_ = id;
    if (event_of_.at(*software_id_) != event) several_software_events_ = true;
}

std::optional<std::size_t> event_ids::find(std::uint64_t id) const {
    const auto found = event_of_.find(id);
    if (found == event_of_.end()) return std::nullopt;
    return found->second;
}

event_ids::owner event_ids::claim(std::span<std::byte> sample) const {
    if (sample.size() < sizeof(sample_fields)) return owner::unknown;
    std::uint64_t id = 0;
    static_assert(offsetof(sample_fields, id) == 0);
    std::memcpy(&id, sample.data(), sizeof id);
    if (find(id)) return owner::ours;
    if (!software_id_ || several_software_events_) return owner::unknown;
    std::memcpy(sample.data(), &*software_id_, sizeof *software_id_);
    return owner::set_right;
}

} // namespace ringproof::record_command
