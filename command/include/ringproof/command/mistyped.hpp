// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a user has most likely meant by a word that is none of those that there are.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace CLI { // NOLINT(readability-identifier-naming): the library has named it
class App;
class ParseError;
} // namespace CLI

namespace ringproof::command {

/// How many letters have to be put in, left out, replaced, or exchanged with their neighbour to make `b` of `a` (the
/// distance of Damerau and Levenshtein, without a second change at one place).
std::size_t changes_between(std::string_view a, std::string_view b);

/// That of `known` which `word` is nearest to, if it takes no more than a third of its letters; otherwise empty.
std::string_view nearest(std::string_view word, std::span<const std::string_view> known);

/// ": did you mean 'NAME'?", or nothing.
std::string suggestion(std::string_view word, std::span<const std::string_view> known);

/// The end of a command line that could not be taken, or that asked for help or the version, which is shown. What is wrong
/// is said on standard error: an option that there is none of with the one that it may be.
/// @param app its name begins with what its lines begin with, "ringproof bench"
/// @return the exit code
int end_of_arguments(const CLI::App& app, const CLI::ParseError& error);

} // namespace ringproof::command
