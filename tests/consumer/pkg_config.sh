#!/bin/sh
# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
#
# pkg_config.sh PREFIX LIBDIR WORK: builds and runs the two consumers with what pkg-config says
# about the tree installed in PREFIX. CC, CXX, CFLAGS and CXXFLAGS come from the environment.
set -eu
prefix=$1 libdir=$1/$2 work=$3
here=$(dirname "$0")
export PKG_CONFIG_PATH="$libdir/pkgconfig" LD_LIBRARY_PATH="$libdir"
rm -rf "$work"
mkdir -p "$work"

# The flags are lists of words, hence unquoted.
"$CXX" -std=c++20 $CXXFLAGS $(pkg-config --cflags autoshard) "$here/consumer.cpp" \
  -o "$work/consumer_cxx" $(pkg-config --static --libs autoshard)
"$work/consumer_cxx"

if [ -e "$prefix/include/autoshard.h" ]; then
  "$CC" -std=c99 $CFLAGS $(pkg-config --cflags autoshard-c) "$here/consumer.c" \
    -o "$work/consumer_c" $(pkg-config --libs autoshard-c)
  "$work/consumer_c"
fi
