// SPDX-License-Identifier: Apache-2.0
#include "model.hpp"

#include "../cat/evaluator.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <mutex>
#include <optional>

namespace ringproof::litmus {

struct model::made_once {
    std::mutex guard;
    std::optional<model> of;
};

model model::load(const std::string& name, cat::setting s) {
    model m;
    m.name_ = name;
    const std::filesystem::path file(name);
    if (const std::string* ours = cat::built_in(name + ".cat"); ours && file.extension() != ".cat") {
        m.text_ = cat::parse_model({name + ".cat", *ours});
    } else if (file.extension() == ".cat") {
        m.text_ = cat::parse_model(read_source(name));
        m.name_ = file.stem().string();
        s.folders.push_back(file.has_parent_path() ? file.parent_path().string() : ".");
    } else {
        throw std::runtime_error(fmt::format("there is no model '{}': expected a .cat file or one of {}",
                                             name, fmt::join(cat::built_in_models(), ", ")));
    }
    m.setting_ = std::move(s);
    m.pieces_ = std::make_shared<made_once>();
    m.interpret();
    return m;
}

void model::interpret() {
    try {
        common_ = std::make_shared<const cat::graph>(cat::interpret(*text_, setting_));
        shapes_ = cat::coherence_of(*common_);
    } catch (const cat::needs_execution&) {
    }
}

const model& model::of_pieces() const {
    const std::lock_guard<std::mutex> lock(pieces_->guard);
    if (pieces_->of) return *pieces_->of;
    model m = *this;
    m.pieces_ = nullptr; // it has no other
    m.common_ = nullptr;
    m.setting_.variants.insert("mixed");
    m.interpret();
    const auto is_rule = [](const std::string& base) { return base == "sm" || base == "si"; };
    if (!m.common_ || std::none_of(m.common_->bases.begin(), m.common_->bases.end(), is_rule))
        throw cat::cannot_evaluate(fmt::format(
            "the test accesses one location in several sizes, and the model '{}' has no rule for such "
            "accesses (the relation sm): not supported",
            name_));
    return pieces_->of.emplace(std::move(m));
}

cat::graph model::make(extent e, const cat::base_values& execution) const {
    cat::setting s = setting_;
    s.size = e;
    s.execution = &execution;
    return cat::interpret(*text_, s);
}

} // namespace ringproof::litmus
