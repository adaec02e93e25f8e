// SPDX-License-Identifier: Apache-2.0
#include "message.hpp"

#include <cstring>
#include <stdexcept>

namespace ringproof::verify::ranks {
namespace {

struct head {
    std::uint64_t what, assignment, divide, text, result;
    double seconds;
};

} // namespace

std::string packed(const message& m) {
    const head h{static_cast<std::uint64_t>(m.what),
                 m.assignment,
                 m.divide,
                 m.text.size(),
                 m.result.size(),
                 m.seconds};
    std::string bytes(sizeof h, '\0');
    std::memcpy(bytes.data(), &h, sizeof h);
    return bytes + m.text + m.result;
}

message unpacked(const std::string& bytes) {
    head h{};
    if (bytes.size() < sizeof h) throw std::invalid_argument("a message between ranks is cut off");
    std::memcpy(&h, bytes.data(), sizeof h);
    const std::size_t rest = bytes.size() - sizeof h;
    if (h.text > rest || h.result != rest - h.text ||
        h.what > static_cast<std::uint64_t>(message::kind::part) || h.divide > 0xffff'ffffu)
        throw std::invalid_argument("a message between ranks is damaged");
    message m{static_cast<message::kind>(h.what), h.assignment, static_cast<unsigned>(h.divide)};
    m.seconds = h.seconds;
    m.text = bytes.substr(sizeof h, h.text);
    m.result = bytes.substr(sizeof h + h.text);
    return m;
}

} // namespace ringproof::verify::ranks
