// SPDX-License-Identifier: Apache-2.0
#include <ringproof/command/checked_document.hpp>
#include <ringproof/command/checksum.hpp>

#include <fmt/format.h>
#include <stdexcept>
#include <string_view>

namespace ringproof::command {
namespace {

/// @param rest the document's text, behind its first brace
std::string with_checksum_of(std::string_view rest) {
    return fmt::format("{{\n \"checksum\": \"{:016x}\",{}", checksum_of(rest), rest);
}

} // namespace

std::string with_checksum(const json& document) {
    return with_checksum_of((document.dump(1, ' ', false, json::error_handler_t::replace) + "\n").substr(1));
}

json checked_document(const std::string& text) {
    constexpr std::size_t head = sizeof "{\n \"checksum\": \"0123456789abcdef\"," - 1;
    if (!text.starts_with("{\n \"checksum\": \"") || text.size() <= head)
        throw std::invalid_argument(
            "it begins with no checksum: it is no checkpoint, or one of an older checker");
    if (with_checksum_of(std::string_view(text).substr(head)) != text)
        throw std::invalid_argument(
            "it is damaged: its checksum does not match (was it edited, or cut off?)");
    return json::parse(text);
}

} // namespace ringproof::command
