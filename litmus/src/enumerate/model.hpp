// SPDX-License-Identifier: Apache-2.0
#pragma once
// A model ready for use: its graph, made once, or once per choice of paths if the model's text looks
// into sets (`match S with …`).

#include "../cat/coherence.hpp"
#include "../cat/interpreter.hpp"

#include <memory>

namespace ringproof::litmus {

class model {
  public:
    /// `name` is one of ours ("sc", "x86-tso") or a .cat file. @throws std::runtime_error
    static model load(const std::string& name, cat::setting s);

    const std::string& name() const { return name_; }
    /// The architecture the model says it is for, if it does.
    const std::string& architecture() const { return text_->architecture; }
    /// The graph for all executions; nullptr if it has to be made for each choice of paths.
    const cat::graph* common() const { return common_.get(); }
    cat::graph make(extent e, const cat::base_values& execution) const;
    const cat::forbidden_shapes& shapes() const { return shapes_; }
    /// The model of tests whose accesses are in pieces (frontend/pieces.hpp): with the variant "mixed".
    /// @throws cat::cannot_evaluate if its text has no rule for them, which is one that uses sm or si
    const model& of_pieces() const;

  private:
    void interpret();

    std::string name_;
    cat::setting setting_;
    std::shared_ptr<const cat::model_text> text_;
    std::shared_ptr<const cat::graph> common_;
    cat::forbidden_shapes shapes_;
    struct made_once;
    std::shared_ptr<made_once> pieces_; ///< several threads may ask for it
};

} // namespace ringproof::litmus
