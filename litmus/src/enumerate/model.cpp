// SPDX-License-Identifier: Apache-2.0
#include "model.hpp"

#include <filesystem>
#include <fmt/format.h>

namespace ringproof::litmus {

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
    try {
        m.common_ = std::make_shared<const cat::graph>(cat::interpret(*m.text_, m.setting_));
        m.shapes_ = cat::coherence_of(*m.common_);
    } catch (const cat::needs_execution&) {
    }
    return m;
}

cat::graph model::make(extent e, const cat::base_values& execution) const {
    cat::setting s = setting_;
    s.size = e;
    s.execution = &execution;
    return cat::interpret(*text_, s);
}

} // namespace ringproof::litmus
