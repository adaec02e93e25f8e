# SPDX-License-Identifier: Apache-2.0
# W1 to W25 (writer), R22 to R31 (reader), A1 to A19 (AUX area), L1 to L10 (life), B1 to B10 (BPF), T1 to T10 (trace).
file(READ "${ZOO}" zoo)
file(READ "${LIMITS}" limits)
foreach(group "W 1 25" "R 22 31" "A 1 19" "L 1 10" "B 1 10" "T 1 10")
  string(REPLACE " " ";" group "${group}")
  list(GET group 0 letter)
  list(GET group 1 first)
  list(GET group 2 last)
  foreach(n RANGE ${first} ${last})
    # Numbers that have parts (W16a, R24b) are there when one of them is.
    set(number "(^|[^A-Za-z0-9])${letter}${n}([^0-9]|$)")
    if(NOT zoo MATCHES "${number}" AND NOT limits MATCHES "${number}")
      message(SEND_ERROR "${letter}${n} is neither in the zoo nor in docs/understand/limits-in-detail.md")
    endif()
  endforeach()
endforeach()
