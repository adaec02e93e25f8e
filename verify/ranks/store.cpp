// SPDX-License-Identifier: Apache-2.0
#include "store.hpp"

#include "../parts/parts_of_results.hpp"
#include "../src/division/stored.hpp"
#include "part_text.hpp"

#include <ringproof/command/file.hpp>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <stdexcept>

namespace ringproof::verify::ranks {
namespace {

namespace fs = std::filesystem;
using command::file_error;

constexpr const char* schema = "ringproof-ranks/1";

/// Of N.json and N.out. @return 0 for any other file
std::uint64_t number_of(const fs::path& file) {
    const std::string stem = file.stem().string();
    std::uint64_t n = 0;
    const auto [end, error] = std::from_chars(stem.data(), stem.data() + stem.size(), n);
    return error == std::errc() && end == stem.data() + stem.size() ? n : 0;
}

} // namespace

store::store(std::string folder, const std::vector<std::string>& command) : folder_(std::move(folder)) {
    std::error_code error;
    fs::create_directories(folder_, error);
    if (error) throw file_error(fmt::format("{}: cannot make the folder: {}", folder_, error.message()));
    const std::string about = folder_ + "/ranks.json";
    if (fs::exists(about)) {
        const json known = command::read_document(about);
        if (known.value("schema", "") != schema)
            throw std::invalid_argument(about + ": it is of another version of this program");
        if (known.at("command") != json(command))
            throw std::invalid_argument(
                fmt::format("{}: it has the search of another command: {}", folder_,
                            fmt::join(known.at("command").get<std::vector<std::string>>(), " ")));
        resumes_ = true;
    } else if (!fs::is_empty(folder_)) {
        throw std::invalid_argument(folder_ + ": the folder is not empty, and has no search in it");
    } else {
        command::write_document({{"schema", schema}, {"command", command}}, about);
    }
}

std::string store::path(std::uint64_t id, bool result) const {
    return fmt::format("{}/{}.{}", folder_, id, result ? "out" : "json");
}

void store::remove(const std::function<bool(const kept&)>& which) {
    std::erase_if(all_, [&](const kept& k) {
        std::error_code ignored; // who reads it again decides again
        return which(k) && (fs::remove(path(k.id, k.result), ignored), true);
    });
}

std::vector<piece> store::read() {
    std::vector<piece> open;
    for (const auto& entry : fs::directory_iterator(folder_)) {
        const std::uint64_t id = number_of(entry.path());
        const bool result = entry.path().extension() == ".out";
        if (id == 0 || (!result && entry.path().extension() != ".json")) continue;
        const std::string file = entry.path().string();
        try {
            if (result) {
                const json first = command::read_document(file).at("results").at(0);
                const json part = first.value("part", json::array());
                all_.push_back(
                    {id, true, search_of(first.at("name"), first.at("model")), part_name(part_of(part))});
                continue;
            }
            piece p = pieces_of(command::read_text(file)).at(0);
            p.id = id;
            all_.push_back({id, false, p.search, part_name(p.text)});
            open.push_back(std::move(p));
        } catch (const std::exception& error) {
            throw std::invalid_argument(fmt::format("{}: it is no part of a search: {}", file, error.what()));
        }
    }
    // Written in place of others that had no time to go: a part is as much as all its parts, a result as what was
    // left before it.
    const std::vector<kept> was = all_;
    remove([&](const kept& k) {
        return std::any_of(was.begin(), was.end(), [&](const kept& other) {
            if (other.search != k.search) return false;
            if (other.id == k.id) return other.result && !k.result;
            return !other.result && k.part.size() > other.part.size() && k.part.starts_with(other.part);
        });
    });
    std::erase_if(open, [&](const piece& p) {
        return std::none_of(all_.begin(), all_.end(),
                            [&](const kept& k) { return k.id == p.id && !k.result; });
    });
    std::sort(open.begin(), open.end(), [](const piece& a, const piece& b) { return a.id < b.id; });
    return open;
}

void store::put(const piece& p) {
    command::write_text(p.text, path(p.id, false));
    if (std::none_of(all_.begin(), all_.end(), [&](const kept& k) { return k.id == p.id; }))
        all_.push_back({p.id, false, p.search, part_name(p.text)});
}

void store::divide(std::uint64_t id, const std::vector<piece>& into) {
    for (const piece& p : into) put(p);
    remove([&](const kept& k) { return k.id == id; });
}

void store::finish(std::uint64_t id, const std::string& result) {
    command::write_text(result, path(id, true));
    kept done = *std::find_if(all_.begin(), all_.end(), [&](const kept& k) { return k.id == id; });
    remove([&](const kept& k) { return k.id == id; });
    done.result = true;
    all_.push_back(std::move(done));
}

void store::drop(const std::string& search) {
    remove([&](const kept& k) { return !k.result && k.search == search; });
}

void store::begin_anew(const piece& whole) {
    put(whole);
    remove([&](const kept& k) { return k.search == whole.search && k.id != whole.id; });
}

std::uint64_t store::last_id() const {
    std::uint64_t last = 0;
    for (const kept& k : all_) last = std::max(last, k.id);
    return last;
}

std::vector<std::string> store::results() const {
    std::vector<std::string> files;
    for (const kept& k : all_)
        if (k.result) files.push_back(path(k.id, true));
    return files;
}

} // namespace ringproof::verify::ranks
