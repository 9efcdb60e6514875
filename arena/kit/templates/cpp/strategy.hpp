#pragma once

#include <algorithm>

#include "fivethreefive.hpp"

/// How good an action looks: many cards are good, and an 8 is better kept.
inline int worth(const fivethreefive::Action& action) {
    auto eights = std::count(action.cards.begin(), action.cards.end(), 8);
    return static_cast<int>(action.cards.size()) - 10 * static_cast<int>(eights);
}

/// Answers a turn with the best of the legal actions.
inline fivethreefive::Move act(const fivethreefive::Turn& turn) {
    auto worse = [](const auto& a, const auto& b) { return worth(a) < worth(b); };
    const auto& best = *std::max_element(turn.legal.begin(), turn.legal.end(), worse);
    turn.log(std::to_string(turn.hand.size()) + " cards in hand, playing " + show(best));
    return best;
}
