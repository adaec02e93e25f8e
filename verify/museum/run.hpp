// SPDX-License-Identifier: Apache-2.0
#pragma once
// One exhibit before or after its fix: `ringproof check` compiles the driver with the found source and searches.

#include "sources.hpp"

#include <ringproof/command/document.hpp>

namespace ringproof::verify {

/// What is to be run: an edition with its source.
struct showing {
    const exhibit* of;
    const edition* shown;
    bool broken; ///< the edition before the fix, which must be refuted
    found_source source;
};

/// The name in results: "xenium-seqlock, before the fix".
std::string name_of(const showing& one);

/// Adds the words of a description, with its folders in the places of {source} and {museum}.
void add_with_folders(std::vector<std::string>& to, const std::vector<std::string>& words,
                      const showing& one);

/// The command line that checks it.
std::vector<std::string> check_command(const showing& one, double seconds);

/// What became of an exhibit.
struct shown_result {
    /// As `ringproof check` writes it, with the exhibit's name, "exhibit", "expected" and "ok"; of a source that is absent:
    /// "skipped"; where there is no result: "error".
    command::json result;
    std::string output;   ///< the checker's own
    std::string compiler; ///< empty: nothing was compiled
};

/// Runs it. pass_signals_on() has been called.
/// @param checker the program ringproof-check
/// @param seconds for the search
shown_result run_showing(const showing& one, const std::string& checker, double seconds);

} // namespace ringproof::verify
