# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
#
# Installs the C library alone, for the wheel of python/pyproject.toml: that sets the prefix to the
# package's folder, where python/autoshard/_library.py looks for libautoshard_c.so.

# A wheel has no symbolic links: without versions the library is one file of that name.
set_property(TARGET autoshard_c PROPERTY VERSION)
set_property(TARGET autoshard_c PROPERTY SOVERSION)
install(TARGETS autoshard_c LIBRARY DESTINATION . COMPONENT python)
