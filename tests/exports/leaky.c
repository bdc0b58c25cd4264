/* Copyright the autoshard authors.
   SPDX-License-Identifier: Apache-2.0 */
#include "leaky.h"

int autoshard_proper_name(void) { return 1; }
int leaked_name(void);
int leaked_name(void) { return 2; }
