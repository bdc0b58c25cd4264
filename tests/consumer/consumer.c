/* Copyright the autoshard authors.
   SPDX-License-Identifier: Apache-2.0

   A stranger's C99 program. */
#include <stdio.h>
#include <string.h>

#include "autoshard.h"

int main(void) {
  printf("autoshard %s\n", autoshard_version());
  return strncmp(autoshard_version(), "0.", 2) == 0 ? 0 : 1;
}
