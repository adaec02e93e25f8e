// SPDX-License-Identifier: Apache-2.0
#include "checkpoint.hpp"

#include <ringproof/command/document.hpp>

#include <array>
#include <cstdio>
#include <dlfcn.h>
#include <fmt/format.h>
#include <fstream>
#include <stdexcept>

namespace ringproof::verify {
namespace {

using command::json;

constexpr const char* schema = "ringproof-checkpoint/2";

std::uint64_t hash_of_file(const std::string& path, std::uint64_t hash) {
    std::ifstream file(path, std::ios::binary);
    std::array<char, 1 << 16> block;
    while (file.read(block.data(), block.size()) || file.gcount() > 0)
        for (std::streamsize i = 0; i < file.gcount(); ++i)
            hash = (hash ^ static_cast<unsigned char>(block[static_cast<std::size_t>(i)])) * 0x100'0000'01b3u;
    return hash;
}

/// The program and the engine, byte for byte: with either changed, the same decisions lead elsewhere.
std::string program_identity() {
    std::uint64_t hash = hash_of_file("/proc/self/exe", 0xcbf2'9ce4'8422'2325u); // FNV-1a
    Dl_info engine;
    if (dladdr(reinterpret_cast<void*>(&write_checkpoint), &engine) != 0 && engine.dli_fname)
        hash = hash_of_file(engine.dli_fname, hash);
    return fmt::format("{:016x}", hash);
}

json to_json(const stopped_search& s) {
    const exploration_result& r = s.so_far;
    json positions = json::array();
    for (const search_position& p : r.positions) {
        json threads = json::array();
        for (const auto& [parent, nth] : p.threads) threads.push_back({parent, nth});
        positions.push_back({{"ways", p.ways}, {"ends", p.ends}, {"threads", threads}});
    }
    return {{"scenario", s.scenario}, {"model", model_name(s.model)}, {"executions", r.executions},
            {"blocked", r.blocked},   {"pruned", r.pruned},           {"events", r.events},
            {"longest", r.longest},   {"seconds", r.seconds},         {"covered", r.covered},
            {"bounds", r.bounds},     {"positions", positions}};
}

stopped_search search_of(const json& from) {
    stopped_search s;
    s.scenario = from.at("scenario");
    bool known = false;
    for (const memory_model m : {memory_model::rc11, memory_model::tso, memory_model::sc})
        if (from.at("model") == model_name(m)) {
            s.model = m;
            known = true;
        }
    if (!known) throw std::invalid_argument("it names a model that is not there");
    exploration_result& r = s.so_far;
    r.executions = from.at("executions");
    r.blocked = from.at("blocked");
    r.pruned = from.at("pruned");
    r.events = from.at("events");
    r.longest = from.at("longest");
    r.seconds = from.at("seconds");
    r.covered = from.at("covered").get<std::set<std::string>>();
    r.bounds = from.at("bounds").get<std::vector<std::string>>();
    for (const json& open : from.at("positions")) {
        search_position p;
        p.ways = open.at("ways").get<std::vector<std::uint32_t>>();
        p.ends = open.at("ends").get<std::vector<std::uint32_t>>();
        for (const json& t : open.at("threads"))
            p.threads.emplace_back(t.at(0).get<std::uint16_t>(), t.at(1).get<std::uint16_t>());
        r.positions.push_back(std::move(p));
    }
    return s;
}

} // namespace

void write_checkpoint(const std::vector<stopped_search>& searches, const std::string& path) {
    json document{{"schema", schema}, {"program", program_identity()}, {"searches", json::array()}};
    for (const stopped_search& s : searches) document["searches"].push_back(to_json(s));
    const std::string unfinished = path + ".tmp"; // an end in the middle leaves the old checkpoint whole
    command::write_document(document, unfinished);
    if (std::rename(unfinished.c_str(), path.c_str()) != 0)
        throw std::runtime_error(path + ": cannot write the checkpoint");
}

std::vector<stopped_search> read_checkpoint(const std::string& path) {
    std::ifstream file(path);
    if (!file) throw std::invalid_argument(path + ": cannot read the checkpoint");
    std::vector<stopped_search> all;
    try {
        const json document = json::parse(file);
        if (document.at("schema") != schema) throw std::invalid_argument("it has another schema");
        if (document.at("program") != program_identity())
            throw std::invalid_argument(
                "it was written by another program, or by this one before it was built anew");
        for (const json& s : document.at("searches")) all.push_back(search_of(s));
    } catch (const json::exception& error) {
        throw std::invalid_argument(fmt::format("{}: not a checkpoint: {}", path, error.what()));
    } catch (const std::invalid_argument& error) {
        throw std::invalid_argument(
            fmt::format("{}: the checkpoint cannot be resumed: {}", path, error.what()));
    }
    return all;
}

} // namespace ringproof::verify
