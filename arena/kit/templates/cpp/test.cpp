#include "strategy.hpp"

static void check(const fivethreefive::Action& want, std::vector<fivethreefive::Action> legal) {
    fivethreefive::Turn turn;
    turn.legal = std::move(legal);
    auto got = act(turn).action;
    if (show(got) == show(want)) return;
    std::cerr << "want " << show(want) << ", got " << show(got) << "\n";
    std::exit(1);
}

int main() {
    fivethreefive::Action add{"add", {8}}, pass{"pass", {}}, one{"lead", {3}}, two{"lead", {3, 4}};
    check(pass, {add, pass});
    check(two, {one, two});
    std::cout << "ok\n";
}
