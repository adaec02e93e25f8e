// SPDX-License-Identifier: Apache-2.0
// Nodes of std::map, std::set and std::list are linked by functions of libstdc++, which are not compiled for the checker: the
// rest of these containers is the program's own code, and seen. The linker's --wrap sends the executable's calls here
// (RINGPROOF_WRAPPED_CONTAINERS in verify/CMakeLists.txt). Noted are the links of the nodes that a call may change, and of
// the container itself; of a tree, those of all nodes up to the root, whose colours change. Which of them it does change
// makes no difference: C++ calls it a race when another thread looks at the links of that container, unordered.

#include "hook.hpp"

#include <list>
#include <map>

namespace ringproof::verify::hook {
namespace {

using tree_node = std::_Rb_tree_node_base;
using list_node = std::__detail::_List_node_base;

template <class Node>
void accesses(const Node* node, bool write, std::uintptr_t site) {
    engine().accesses().plain(address_of(node), sizeof *node, write, site);
}

/// Notes that the links of `node` and of all above it change, up to the container, which is `header`.
void changes_up_to(tree_node* node, tree_node& header, std::uintptr_t site) {
    for (; node && node != &header; node = node->_M_parent) accesses(node, true, site);
    accesses(&header, true, site);
}

void changes_around(list_node* node, std::uintptr_t site) {
    accesses(node, true, site);
    accesses(node->_M_prev, true, site);
    accesses(node->_M_next, true, site);
}

} // namespace
} // namespace ringproof::verify::hook

using namespace ringproof::verify::hook;

// Of the library's functions, by their names to the linker.
extern "C" {
#define RINGPROOF_INSERT _ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_
#define RINGPROOF_ERASE _ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_
#define RINGPROOF_WRAP_NAME_OF(name) __wrap_##name
#define RINGPROOF_WRAP_NAME(name) RINGPROOF_WRAP_NAME_OF(name)

RINGPROOF_HOOK void RINGPROOF_WRAP_NAME(RINGPROOF_INSERT)(bool left, tree_node* node, tree_node* parent,
                                                          tree_node& header) noexcept {
    if (running()) {
        accesses(node, true, RINGPROOF_SITE);
        changes_up_to(parent, header, RINGPROOF_SITE);
    }
    std::_Rb_tree_insert_and_rebalance(left, node, parent, header);
}
RINGPROOF_HOOK tree_node* RINGPROOF_WRAP_NAME(RINGPROOF_ERASE)(tree_node* node, tree_node& header) noexcept {
    if (running()) changes_up_to(node, header, RINGPROOF_SITE);
    return std::_Rb_tree_rebalance_for_erase(node, header);
}

#define RINGPROOF_STEP(name, function)                                                                       \
    RINGPROOF_HOOK tree_node* __wrap_##name(tree_node* node) noexcept {                                      \
        if (running()) accesses(node, false, RINGPROOF_SITE);                                                \
        tree_node* const next = function(node);                                                              \
        if (running()) accesses(next, false, RINGPROOF_SITE);                                                \
        return next;                                                                                         \
    }
RINGPROOF_STEP(_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base, std::_Rb_tree_increment)
RINGPROOF_STEP(_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base, std::_Rb_tree_increment)
RINGPROOF_STEP(_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base, std::_Rb_tree_decrement)
RINGPROOF_STEP(_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base, std::_Rb_tree_decrement)

RINGPROOF_HOOK void __wrap__ZNSt8__detail15_List_node_base7_M_hookEPS0_(list_node* node,
                                                                        list_node* before) noexcept {
    if (running()) {
        accesses(node, true, RINGPROOF_SITE);
        changes_around(before, RINGPROOF_SITE);
    }
    node->_M_hook(before);
}
RINGPROOF_HOOK void __wrap__ZNSt8__detail15_List_node_base9_M_unhookEv(list_node* node) noexcept {
    if (running()) changes_around(node, RINGPROOF_SITE);
    node->_M_unhook();
}
RINGPROOF_HOOK void __wrap__ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_(list_node* before,
                                                                                list_node* first,
                                                                                list_node* end) noexcept {
    if (running())
        for (list_node* const node : {before, first, end}) changes_around(node, RINGPROOF_SITE);
    before->_M_transfer(first, end);
}
RINGPROOF_HOOK void __wrap__ZNSt8__detail15_List_node_base10_M_reverseEv(list_node* header) noexcept {
    if (running()) {
        accesses(header, true, RINGPROOF_SITE);
        for (list_node* node = header->_M_next; node != header; node = node->_M_next)
            accesses(node, true, RINGPROOF_SITE);
    }
    header->_M_reverse();
}
RINGPROOF_HOOK void __wrap__ZNSt8__detail15_List_node_base4swapERS0_S1_(list_node& a, list_node& b) noexcept {
    if (running()) {
        changes_around(&a, RINGPROOF_SITE);
        changes_around(&b, RINGPROOF_SITE);
    }
    list_node::swap(a, b);
}
}
