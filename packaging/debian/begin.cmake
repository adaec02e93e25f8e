# SPDX-License-Identifier: Apache-2.0
# Run by cpack before it stages anything. Staging writes manifests as an installation does, and `uninstall` would take the
# files of an installed package for its own: real manifests are kept aside, and finish.cmake puts them back.
file(GLOB manifests "${CPACK_RINGPROOF_BUILD}/install_manifest*.txt")
foreach(manifest IN LISTS manifests)
  file(RENAME "${manifest}" "${manifest}.kept")
endforeach()
