// SPDX-License-Identifier: Apache-2.0
#include <ringproof/command/typed_command.hpp>

#include <sstream>

namespace ringproof::command {

std::vector<std::string> typed_command(std::string_view verb, int argc, const char* const* argv) {
    std::vector<std::string> words{"ringproof"};
    std::istringstream verbs{std::string(verb)};
    for (std::string word; verbs >> word;) words.push_back(word);
    for (int i = 1; i < argc; ++i) words.emplace_back(argv[i]);
    return words;
}

} // namespace ringproof::command
