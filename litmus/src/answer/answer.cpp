// SPDX-License-Identifier: Apache-2.0
#include "answer.hpp"
#include "../enumerate/report.hpp"
#include "../enumerate/search.hpp"
#include "../frontend/front_ends.hpp"
#include "../graph/writer.hpp"

#include <algorithm>
#include <new>
#include <nlohmann/json.hpp>

namespace ringproof::litmus {

using json = nlohmann::ordered_json;

const model& answerer::model_of(const std::string& name) {
    const auto at = models_.find(name);
    return at != models_.end() ? at->second : models_.emplace(name, model::load(name, {})).first->second;
}

json answerer::simulated(const request& r) {
    watch time(r.seconds);
    const loaded_test loaded = load_test({"", r.text}, r.unroll, nullptr, &time);
    const std::vector<std::string> fitting = models_for(loaded);
    const bool fits = std::find(fitting.begin(), fitting.end(), r.model) != fitting.end();
    const model& m = model_of(fits ? r.model : fitting.front());
    limits l;
    l.seconds = r.seconds;
    l.keep = r.executions;
    l.keep_of_state = r.executions_of_state;
    const simulation s =
        loaded.complete ? simulate(loaded.text, loaded.what, m, l) : not_simulated(loaded.text, r.unroll);
    json result = to_json(loaded.text, m.name(), s);
    result["models"] = fitting;
    result["executions"] = json::array();
    for (const execution& x : s.executions) result["executions"].push_back(to_json(x, loaded.text.from));
    return result;
}

json answerer::answer(const request& r) {
    json error = {{"verdict", "error"}, {"ok", false}};
    try {
        return simulated(r);
    } catch (const syntax_error& e) {
        error["message"] = e.message();
        error["line"] = e.line();
        error["column"] = e.column();
    } catch (const std::bad_alloc&) {
        error["message"] = "this test needs more memory than there is: make it smaller";
    } catch (const std::runtime_error& e) {
        error["message"] = e.what();
    }
    return error;
}

} // namespace ringproof::litmus
