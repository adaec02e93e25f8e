# SPDX-License-Identifier: Apache-2.0
# The commit that is built, for --version and results, and its time, which generated files bear. A clone is asked
# when it is configured; a tarball made by `git archive` has both in commit.txt, put there by .gitattributes. Anything
# else, and a copy of the sources inside another project's repository, has "unknown".
set(ringproof_commit unknown)
set(ringproof_commit_time 0)
file(READ "${CMAKE_CURRENT_LIST_DIR}/commit.txt" commit)
if(NOT commit MATCHES "Format:" AND commit MATCHES "^([0-9a-f]+) ([0-9]+)")
  set(ringproof_commit "${CMAKE_MATCH_1}")
  set(ringproof_commit_time "${CMAKE_MATCH_2}")
elseif(EXISTS "${PROJECT_SOURCE_DIR}/.git")
  # Git refuses a clone that belongs to somebody else, unless it is told that this one may be read.
  execute_process(COMMAND git -c "safe.directory=${PROJECT_SOURCE_DIR}" -C "${PROJECT_SOURCE_DIR}"
                          log -1 "--format=%H %ct"
                  OUTPUT_VARIABLE commit ERROR_QUIET RESULT_VARIABLE code)
  if(code EQUAL 0 AND commit MATCHES "^([0-9a-f]+) ([0-9]+)")
    set(ringproof_commit "${CMAKE_MATCH_1}")
    set(ringproof_commit_time "${CMAKE_MATCH_2}")
  endif()
endif()
string(SUBSTRING "${ringproof_commit}" 0 12 ringproof_commit)
if(DEFINED ENV{SOURCE_DATE_EPOCH})
  set(ringproof_commit_time "$ENV{SOURCE_DATE_EPOCH}")
endif()
