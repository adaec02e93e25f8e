// SPDX-License-Identifier: Apache-2.0
#include "checkpoint.hpp"

#include "figures.hpp"
#include "token.hpp"

#include <ringproof/command/checked_document.hpp>
#include <ringproof/command/file.hpp>

#include <fmt/format.h>
#include <stdexcept>

namespace ringproof::silicon::a64 {
namespace {

using command::json;

constexpr const char* schema = "ringproof-armv8-checkpoint/2";

[[noreturn]] void refuse(const std::string& why) { throw std::invalid_argument(why); }

findings search_in(const json& document, program& p, const json& shape) {
    if (document.at("schema") != schema) refuse("it is of another kind of search");
    if (document.at("checker") != command::version())
        refuse(fmt::format("it was written by version {}, and this is {}",
                           document.at("checker").get<std::string>(), command::version()));
    const replay_token begin = decode_token(document.at("begin").get<std::string>());
    if (begin.program != p.fingerprint())
        refuse("it is of another program: the sources, the flags, the compiler or --spurious differ");
    for (const auto& [option, value] : shape.items())
        if (document.at("options").at(option) != value)
            refuse(fmt::format("it was written with {} {}, and this command has {}", option,
                               document.at("options").at(option).dump(), value.dump()));
    findings f = findings_of(document.at("search"));
    if (f.rest.empty() || !f.failure.empty()) refuse("nothing is left to be searched");
    p.begin_with(begin.learnt);
    return f;
}

} // namespace

json shape_of(const options& o) {
    return {{"--liveness", o.liveness}, {"--max-instructions", o.limits.instructions}};
}

void write_checkpoint(const findings& f, const program& p, const json& shape, const std::string& path) {
    const json document{{"schema", schema},
                        {"checker", command::version()},
                        {"begin", encode({p.fingerprint(), p.learnt_so_far(), {}})},
                        {"options", shape},
                        {"search", figures_of(f)}};
    command::write_text(command::with_checksum(document), path);
}

findings read_checkpoint(program& p, const json& shape, const std::string& path) {
    const std::string text = command::read_text(path);
    try {
        return search_in(command::checked_document(text), p, shape);
    } catch (const json::exception& error) {
        throw std::invalid_argument(fmt::format("{}: not a checkpoint: {}", path, error.what()));
    } catch (const std::invalid_argument& error) {
        throw std::invalid_argument(
            fmt::format("{}: the checkpoint cannot be resumed: {}", path, error.what()));
    }
}

} // namespace ringproof::silicon::a64
