/* Copyright the autoshard authors.
   SPDX-License-Identifier: Apache-2.0 */
#ifndef AUTOSHARD_TESTS_LEAKY_H
#define AUTOSHARD_TESTS_LEAKY_H

int autoshard_proper_name(void);

#endif
