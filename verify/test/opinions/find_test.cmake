# SPDX-License-Identifier: Apache-2.0
# cmake -DCASE=… -DMODULES=… -DCOMPILER=… -DWORK=… -P find_test.cmake: configures a project that looks for the checkers, with
# a root of our own making.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE "${WORK}")
set(root "${WORK}/root")
file(MAKE_DIRECTORY "${root}")

# A library with what a probe of CDSChecker needs; `main` is what it does.
function(make_model main)
  file(WRITE "${root}/model.cpp" "
#include <cstdint>
#include <cstdio>
#include <unistd.h>
extern \"C\" {
int user_main(int, char**);
int thrd_create(void*, void (*)(void*), void*) { return 0; }
int thrd_join(void*) { return 0; }
std::uint64_t model_read_action(void*, int) { return 0; }
void model_write_action(void*, int, std::uint64_t) {}
void model_init_action(void*, std::uint64_t) {}
void store_8(void*, std::uint8_t) {}
std::uint8_t load_8(const void*) { return 0; }
void model_assert(bool, const char*, int) {}
int main() { ${main} }
}
")
  execute_process(COMMAND "${COMPILER}" -w -shared -fPIC -o "${root}/libmodel.so" "${root}/model.cpp" COMMAND_ERROR_IS_FATAL ANY)
endfunction()

set(module Relacy)
set(expected_state unusable)
if(CASE STREQUAL no_root)
  set(root "")
  set(expected_state absent)
  set(expected_why "names no folder")
elseif(CASE STREQUAL no_relacy)
  set(expected_why "where no relacy/relacy.hpp is")
elseif(CASE STREQUAL broken_relacy)
  file(WRITE "${root}/relacy/relacy.hpp" "#error this Relacy is of another time\n")
  set(expected_why "does not compile with this compiler: .*another time")
elseif(CASE STREQUAL good_relacy)
  # The names that the shim uses, and nothing behind them.
  file(WRITE "${root}/relacy/relacy.hpp" "
#include <cstddef>
namespace rl {
using thread_id_t = int;
enum memory_order { mo_relaxed, mo_acquire, mo_release };
struct debug_info { debug_info(const char* = 0, const char* = 0, unsigned = 0) {} };
struct thread_info_base {};
struct var_data { bool store(thread_info_base&) { return true; } };
struct win_waitable_object { void wait(bool, bool, debug_info) {} };
struct context {
    thread_info_base* threadx_;
    var_data* var_ctor() { return 0; }
    void var_dtor(var_data*) {}
    win_waitable_object* create_thread(void* (*)(void*), void*, thread_id_t*) { return 0; }
};
inline context& ctx() { static context one; return one; }
template <class T> struct atomic {
    T load(memory_order, debug_info) { return T(); }
    bool compare_exchange_strong(T&, T, memory_order, memory_order, debug_info) { return true; }
};
template <class T, int> struct test_suite {};
struct test_params {};
template <class T> bool simulate(test_params&) { return true; }
}
")
  set(expected_state ready)
elseif(CASE STREQUAL no_model)
  set(module CDSChecker)
  set(expected_why "where no libmodel.so is")
elseif(CASE STREQUAL broken_model)
  set(module CDSChecker)
  make_model("std::puts(\"OUT OF BOOTSTRAP MEMORY\"); return 1;")
  set(expected_why "not usable: .*OUT OF BOOTSTRAP MEMORY")
elseif(CASE STREQUAL hanging_model)
  set(module CDSChecker)
  make_model("for (;;) pause();")
  set(expected_why "not usable: .*timeout")
elseif(CASE STREQUAL good_model)
  set(module CDSChecker)
  make_model("user_main(0, nullptr); std::puts(\"Number of complete, bug-free executions: 2\"); return 0;")
  set(expected_state ready)
else()
  message(FATAL_ERROR "no case ${CASE}")
endif()

string(TOUPPER ${module} variable)
file(WRITE "${WORK}/project/CMakeLists.txt" "
cmake_minimum_required(VERSION 3.25)
project(finds LANGUAGES CXX)
list(APPEND CMAKE_MODULE_PATH \"${MODULES}\")
find_package(${module} MODULE QUIET)
file(WRITE \"${WORK}/found\" \"\${${module}_FOUND} \${${module}_STATE}: \${${module}_WHY}\")
")
execute_process(COMMAND "${CMAKE_COMMAND}" -S "${WORK}/project" -B "${WORK}/build" "-DCMAKE_CXX_COMPILER=${COMPILER}"
                "-DRINGPROOF_${variable}_ROOT=${root}" OUTPUT_VARIABLE said ERROR_VARIABLE said RESULT_VARIABLE code)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "configuring fails, where it should go on without the checker:\n${said}")
endif()
file(READ "${WORK}/found" found)
if(NOT found MATCHES "^(TRUE|FALSE) ${expected_state}: .*${expected_why}")
  message(FATAL_ERROR "found '${found}', expected '${expected_state}: … ${expected_why}'")
endif()
