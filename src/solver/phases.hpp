// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// The phases of a solve after simplification, in the order in which the driver runs them.
#pragma once

#include "solver/session.hpp"

namespace autoshard::internal {

/// Exact when the graph is narrow; without regard to memory, so a bound always and an answer when
/// that answer happens to fit.
void eliminate_without_memory(Session& session);

/// A first answer from the caller's hint, where there is one.
void take_hint(Session& session);

/// One quick answer for a solve that ends before any phase found one.
void answer_at_least(Session& session);

/// Certified bounds by message passing and prices, answers by repair and large neighbourhoods.
void improve(Session& session);

/// Branch and bound; proves the best answer, or that there is none, when the core is small enough.
void branch(Session& session);

}  // namespace autoshard::internal
