# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
#
# Sourced by tools/demo and tools/test: installs what is missing on Debian 12, Debian 13 and
# Ubuntu 24.04, and builds. Run from the root of the repository.

# What must be there: either a command, a Python module or a file that a -dev package brings tells
# that a package is not needed, or else dpkg is asked.
NEEDED_COMMANDS="cmake:cmake ninja:ninja-build g++:g++ pkg-config:pkgconf python3:python3"
NEEDED_PACKAGES="libc6-dev libeigen3-dev libfmt-dev nlohmann-json3-dev zlib1g-dev libglpk-dev
  libcli11-dev doctest-dev ca-certificates"

step() {
  printf '\n==> %s\n' "$*"
}

missing_packages() {
  local entry package
  for entry in $NEEDED_COMMANDS; do
    command -v "${entry%%:*}" > /dev/null || echo "${entry#*:}"
  done
  for package in $NEEDED_PACKAGES; do
    dpkg-query -W -f '${db:Status-Status}' "$package" 2> /dev/null | grep -qx installed ||
      echo "$package"
  done
  python3 -c 'import ensurepip, venv' 2> /dev/null || echo python3-venv
}

# Asks for the network, and for root, only when something is missing.
install_missing_packages() {
  local missing root=""
  missing=$(missing_packages | xargs)
  if [ -z "$missing" ]; then
    echo "nothing is missing"
    return 0
  fi
  echo "missing: $missing"
  if [ "$(id -u)" -ne 0 ]; then
    root=sudo
  fi
  if ! command -v apt-get > /dev/null || { [ -n "$root" ] && ! command -v sudo > /dev/null; }; then
    echo "cannot install them: this needs apt-get, and root or sudo." >&2
    echo "Please install these packages, then start again: $missing" >&2
    return 1
  fi
  # The names hold no spaces, hence unquoted.
  if ! { $root apt-get update -q &&
    $root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
      $missing; }; then
    echo "apt-get failed. Please install these packages, then start again: $missing" >&2
    return 1
  fi
}

# make_venv REQUIREMENTS: build/venv with what the file lists; quick when it is already so.
make_venv() {
  local stamp=build/venv/requirements.txt
  if cmp -s "$1" "$stamp" && build/venv/bin/python -c '' 2> /dev/null; then
    echo "build/venv is up to date"
    return 0
  fi
  python3 -m venv --clear build/venv &&
    build/venv/bin/python -m pip install --quiet --disable-pip-version-check -r "$1" &&
    cp "$1" "$stamp"
}

# build PRESET [TARGET]
build() {
  if command -v ccache > /dev/null; then
    export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache
  fi
  cmake --preset "$1" > "build/configure-$1.log" 2>&1 || {
    cat "build/configure-$1.log"
    return 1
  }
  cmake --build --preset "$1" ${2:+--target "$2"}
}
