// SPDX-License-Identifier: Apache-2.0
#include "token.hpp"

#include "../graph/clock.hpp"

#include <ringproof/verify/models.hpp>

#include <stdexcept>

namespace ringproof::verify {
namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr std::uint8_t format_version = 1, format_with_races = 2;
constexpr std::uint32_t most_raced = 1u << 20, most_piece = 16;
constexpr std::uint32_t no_place = 0xffff'ffff;

enum step_tag : unsigned { failed_read = 0, nothing_read = 1, read = 2, write = 3 };

[[noreturn]] void refuse(const char* why) {
    throw std::invalid_argument(std::string("the replay token ") + why);
}

std::uint32_t hash(const unsigned char* bytes, std::size_t size) {
    std::uint32_t h = 2166136261u;
    for (std::size_t i = 0; i < size; ++i) h = (h ^ bytes[i]) * 16777619u;
    return h;
}

class writer {
  public:
    void byte(unsigned b) { bytes_.push_back(static_cast<unsigned char>(b)); }
    void number(std::uint32_t n) {
        for (; n >= 0x80; n >>= 7) byte((n & 0x7f) | 0x80);
        byte(n);
    }
    void word(std::uint32_t n) {
        for (int i = 0; i < 4; ++i) byte((n >> (8 * i)) & 0xff);
    }
    std::string text() {
        word(hash(bytes_.data(), bytes_.size()));
        std::string out;
        unsigned held = 0, bits = 0;
        for (const unsigned char b : bytes_) {
            held = (held << 8) | b;
            for (bits += 8; bits >= 6; bits -= 6) out += alphabet[(held >> (bits - 6)) & 63];
        }
        if (bits > 0) out += alphabet[(held << (6 - bits)) & 63];
        return out;
    }

  private:
    std::vector<unsigned char> bytes_;
};

class reader {
  public:
    explicit reader(std::string_view text) {
        unsigned held = 0, bits = 0;
        for (const char c : text) {
            const std::size_t digit = alphabet.find(c);
            if (digit == std::string_view::npos) refuse("holds a character that no token has");
            held = (held << 6) | static_cast<unsigned>(digit);
            if ((bits += 6) >= 8) bytes_.push_back(static_cast<unsigned char>((held >> (bits -= 8)) & 0xff));
        }
        if (bytes_.size() < 10) refuse("is too short: was it cut off?");
        end_ = bytes_.size() - 4;
        const std::uint32_t expected = hash(bytes_.data(), end_);
        std::uint32_t found = 0;
        for (std::size_t i = 0; i < 4; ++i) found |= std::uint32_t{bytes_[end_ + i]} << (8 * i);
        if (found != expected) refuse("is damaged: its checksum does not match (was it cut off?)");
    }
    bool at_end() const { return at_ == end_; }
    std::uint32_t byte() {
        if (at_ == end_) refuse("ends in the middle of a step");
        return bytes_[at_++];
    }
    std::uint32_t number() {
        std::uint32_t n = 0;
        for (unsigned shift = 0; shift < 35; shift += 7) {
            const std::uint32_t b = byte();
            n |= (b & 0x7f) << shift;
            if (!(b & 0x80)) return n;
        }
        refuse("holds a number that is too large");
    }
    std::uint32_t word() {
        std::uint32_t n = 0;
        for (int i = 0; i < 4; ++i) n |= byte() << (8 * i);
        return n;
    }

  private:
    std::vector<unsigned char> bytes_;
    std::size_t at_ = 0, end_ = 0;
};

} // namespace

std::uint32_t name_hash(std::string_view name) {
    return hash(reinterpret_cast<const unsigned char*>(name.data()), name.size());
}

std::string encode(const replay_token& token) {
    writer out;
    out.byte(token.raced.empty() ? format_version : format_with_races);
    out.byte(static_cast<unsigned>(token.model));
    out.word(token.scenario);
    if (!token.raced.empty()) {
        out.number(static_cast<std::uint32_t>(token.raced.size()));
        for (const raced_place& p : token.raced) {
            out.number(static_cast<std::uint32_t>(p.at >> 32));
            out.number(static_cast<std::uint32_t>(p.at));
            out.byte(p.unit | (p.in_program ? 0x80u : 0u));
        }
    }
    for (const step& s : token.steps) {
        if (s.co_index != no_place) {
            out.number(s.thread << 2u | write);
            out.number(s.co_index);
        } else if (s.spurious) {
            out.number(s.thread << 2u | failed_read);
            out.number(s.rf_index);
            if (s.rf_index != 0) out.number(s.rf_thread); // otherwise an initial value
        } else if (s.rf_index != 0) {
            out.number(s.thread << 2u | read);
            out.number(s.rf_thread);
            out.number(s.rf_index);
        } else {
            // A step that reads nothing looks like one that reads an initial value; replay tells them apart.
            out.number(s.thread << 2u | nothing_read);
        }
    }
    return out.text();
}

namespace {

raced_place raced_in(reader& in) {
    raced_place p;
    p.at = std::uint64_t{in.number()} << 32;
    p.at |= in.number();
    const std::uint32_t unit = in.byte();
    p.in_program = (unit & 0x80) != 0;
    p.unit = static_cast<std::uint8_t>(unit & 0x7f);
    const unsigned piece = p.unit & ~unsigned{mixed_piece};
    if ((p.unit & mixed_piece) != 0
            ? piece == 0 || piece > most_piece
            : p.unit != 1 && p.unit != 2 && p.unit != 4 && p.unit != 8 && p.unit != mortal_processes)
        refuse("names an access that cannot be");
    return p;
}

} // namespace

replay_token decode(std::string_view text) {
    reader in(text);
    const std::uint32_t version = in.byte();
    if (version != format_version && version != format_with_races)
        refuse("was made by another version of this program");
    replay_token token;
    const std::uint32_t model = in.byte();
    if (!is_model(model)) refuse("names a memory model that is unknown here");
    token.model = static_cast<memory_model>(model);
    token.scenario = in.word();
    if (version == format_with_races) {
        const std::uint32_t count = in.number();
        if (count > most_raced) refuse("holds a number that is too large");
        for (std::uint32_t i = 0; i < count; ++i) token.raced.push_back(raced_in(in));
    }
    while (!in.at_end()) {
        const std::uint32_t head = in.number();
        step s;
        if (head >> 2 >= max_threads) refuse("names a thread that cannot be");
        s.thread = static_cast<std::uint16_t>(head >> 2);
        switch (head & 3) {
        case write:
            s.co_index = in.number();
            break;
        case read: {
            const std::uint32_t thread = in.number(), index = in.number();
            if (thread >= max_threads || index == 0 || index > max_events)
                refuse("names an event that cannot be");
            s.rf_thread = static_cast<std::uint16_t>(thread);
            s.rf_index = index;
            break;
        }
        case failed_read: {
            s.spurious = true;
            const std::uint32_t index = in.number(), thread = index == 0 ? 0xffff : in.number();
            if (index != 0 && (thread >= max_threads || index > max_events))
                refuse("names an event that cannot be");
            s.rf_thread = static_cast<std::uint16_t>(thread);
            s.rf_index = index;
            break;
        }
        default: // nothing_read
            break;
        }
        token.steps.push_back(s);
    }
    return token;
}

} // namespace ringproof::verify
