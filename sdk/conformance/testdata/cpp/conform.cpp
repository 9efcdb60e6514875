#include <cmath>

#include "fivethreefive.hpp"

namespace arena = fivethreefive;
using arena::show;
using std::to_string;

class Drawn : public arena::Bot {
public:
    void start(const arena::Start& start) override { random = arena::Random(start.seed); }
    arena::Move act(const arena::Turn& turn) override { return turn.legal[random.below(turn.legal.size())]; }

protected:
    arena::Random random;
};

std::string event(const arena::Event& e) {
    std::string at = to_string(e.round) + " " + to_string(e.half) + " ";
    if (e.type == "deal") return "deal " + at + to_string(e.leader) + " " + show(e.counts) + " " + show(e.hand);
    if (e.type == "play") return "play " + to_string(e.seat) + " " + show(e.action) + " " + show(e.meld) + " " + e.by + "/" + e.fault;
    if (e.type == "clear") return "clear " + to_string(e.seat) + " " + e.reason;
    std::string hands;
    for (const auto& hand : e.hands) hands += show(hand) + " ";
    return "score " + at + to_string(e.out) + " " + hands + show(e.points) + " " + show(e.scores);
}

std::string describe(const arena::Cards& cards) {
    auto m = arena::meld(cards);
    std::string rest = " strength " + to_string(arena::strength(cards)) + " points " + to_string(arena::points(cards));
    if (!m) return "none" + rest;
    std::string kind = m->kind == arena::Kind::single ? "single" : m->kind == arena::Kind::set ? "set" : "run";
    return kind + " " + to_string(m->low) + " " + to_string(m->size) + rest;
}

// Tells everything that it sees.
class Seeing : public Drawn {
public:
    void start(const arena::Start& s) override {
        Drawn::start(s);
        std::cout << "start " << s.game << " " << s.seat << " " << s.players;
        for (const auto& name : s.names) std::cout << " " << name;
        const auto& r = s.rules;
        std::cout << " " << r.preset << " " << r.players << " " << r.copies << " " << r.hand_size << " " << r.target << " "
                  << r.permanent_pass << " " << r.greater_overwrite << " " << s.clock.move_ms << " " << s.clock.bank_ms << " "
                  << s.clock.increment_ms << " " << s.seed << std::endl;
    }

    arena::Move act(const arena::Turn& t) override {
        std::int64_t last = t.clock.last_ms ? std::llround(*t.clock.last_ms * 1000) : -1;
        t.log("seat " + to_string(t.seat) + " round " + to_string(t.round) + " half " + to_string(t.half) + " hand " + show(t.hand) +
              " meld " + show(t.meld) + " by " + to_string(t.meld_seat) + " counts " + show(t.counts) + " scores " + show(t.scores) +
              " passed " + show(t.passed) + " undealt " + to_string(t.undealt) + " clock " + to_string(t.clock.move_ms) + " " +
              to_string(t.clock.bank_ms) + " " + to_string(last));
        for (const auto& e : t.events) t.log(event(e));
        for (const auto& a : t.legal) {
            t.log("legal " + show(a) + ": " + describe(a.cards) + " beats " + to_string(arena::beats(a.cards, t.meld)));
        }
        std::string windows;
        for (std::size_t n = 1; n <= 6; n++) {
            for (std::size_t i = 0; i + n <= t.hand.size(); i++) {
                arena::Cards window(t.hand.rend() - static_cast<std::ptrdiff_t>(i + n), t.hand.rend() - static_cast<std::ptrdiff_t>(i));
                windows += (windows.empty() ? "" : "; ") + describe(window);
            }
        }
        t.log("hand: " + windows);
        std::string drawn = "random";
        for (std::size_t n : {1u, 6u, 1000000u, 2147483647u}) drawn += " " + to_string(random.below(n));
        t.log(drawn + " " + to_string(random.next()));
        double left = t.time_left_ms(), limit = static_cast<double>(t.clock.move_ms + t.clock.bank_ms);
        t.log(left >= std::max(0.0, limit - 300'000) && left <= limit ? "time left" : "time wrong");
        std::string note = "a \"b\" \\ \n\x01 😀";
        if (t.turn % 2 == 1) {
            note.clear();
            for (int i = 0; i < 40'000; i++) note += "é";
        }
        return {t.legal.back(), note};
    }

    void end(const arena::End& e) override {
        std::cout << "end " << e.game << " " << e.reason << " " << show(e.scores) << " " << show(e.ranks) << " " << e.events.size()
                  << std::endl;
    }
};

int main(int argc, char** argv) {
    const arena::Info info{"conform", "1 \"é\""};
    const std::string mode = argc > 1 ? argv[1] : "";
    Drawn drawn;
    Seeing seeing;
    if (mode == "first") return arena::run(info, [](const arena::Turn& turn) { return turn.legal[0]; });
    if (mode == "random") return arena::run(info, drawn);
    if (mode == "see") return arena::run(info, seeing);
    return arena::run(info, [](const arena::Turn&) -> arena::Move { throw std::runtime_error("broken on purpose"); });
}
