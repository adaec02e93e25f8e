// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a source says of its orders, in comments.

#include <map>
#include <string>
#include <vector>

namespace ringproof::verify {

/// Functions that the comment above them gives a letter: "/// A. …", "/// A in band. …". Several functions of one
/// name have one letter.
std::map<std::string, char> letters_of(const std::vector<std::string>& lines);

/// Whether a comment on `line`, or on one of the few above it up to a blank one, has the word "over-strong": then
/// somebody has said why.
bool has_excuse(const std::vector<std::string>& lines, int line);

} // namespace ringproof::verify
