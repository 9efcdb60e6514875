#include <cmath>

#include "fivethreefive.hpp"

namespace arena = fivethreefive;
using arena::show;
using std::to_string;

class Drawn : public arena::Bot {
public:
    void start(const arena::Json& start) override { random = arena::Random(start["seed"].whole()); }
    arena::Move act(const arena::Turn& turn) override { return turn.legal[random.below(turn.legal.size())]; }

protected:
    arena::Random random;
};

std::string number(const arena::Json& json, const std::string& name) { return " " + to_string(json[name].whole()); }

std::string numbers(const arena::Json& json, const std::string& name) { return " " + show(json[name].integers()); }

std::string event(const arena::Json& e) {
    const std::string& type = e["type"].text;
    const std::string at = number(e, "round") + number(e, "half"), seat = number(e, "seat");
    if (type == "deal") return type + at + number(e, "leader") + numbers(e, "counts") + numbers(e, "hand");
    if (type == "play") {
        return type + seat + " " + show(e["action"].action()) + numbers(e, "meld") + " " + e["by"].text + "/" + e["fault"].text;
    }
    if (type == "clear") return type + seat + " " + e["reason"].text;
    std::string hands;
    for (const auto& hand : e["hands"].list) hands += " " + show(hand.integers());
    return type + at + number(e, "out") + hands + numbers(e, "points") + numbers(e, "scores");
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
    void start(const arena::Json& s) override {
        Drawn::start(s);
        std::cout << "start " << s["game"].text << number(s, "seat") << number(s, "players");
        for (const auto& name : s["names"].list) std::cout << " " << name.text;
        const auto &r = s["rules"], &c = s["clock"];
        std::cout << " " << r["preset"].text << number(r, "players") << number(r, "copies") << number(r, "hand_size")
                  << number(r, "target") << number(r, "permanent_pass") << number(r, "greater_overwrite") << number(c, "move_ms")
                  << number(c, "bank_ms") << number(c, "increment_ms") << number(s, "seed") << std::endl;
    }

    arena::Move act(const arena::Turn& t) override {
        const auto& ms = t.clock["last_ms"];
        std::int64_t last = ms.null ? -1 : std::llround(ms.number * 1000);
        t.log("seat " + to_string(t.seat) + " round " + to_string(t.round) + " half " + to_string(t.half) + " hand " + show(t.hand) +
              " meld " + show(t.meld) + " by " + to_string(t.meld_seat) + " counts " + show(t.counts) + " scores " + show(t.scores) +
              " passed " + show(t.passed) + " undealt " + to_string(t.undealt) + " clock" + number(t.clock, "move_ms") +
              number(t.clock, "bank_ms") + " " + to_string(last));
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
        double left = t.time_left_ms(), limit = t.clock["move_ms"].number + t.clock["bank_ms"].number;
        t.log(left >= std::max(0.0, limit - 300'000) && left <= limit ? "time left" : "time wrong");
        std::string note = "a \"b\" \\ \n\x01 😀";
        if (t.turn % 2 == 1) {
            note.clear();
            for (int i = 0; i < 40'000; i++) note += "é";
        }
        return {t.legal.back(), note};
    }

    void end(const arena::Json& e) override {
        std::cout << "end " << e["game"].text << " " << e["reason"].text << numbers(e, "scores") << numbers(e, "ranks") << " "
                  << e.events().size() << std::endl;
    }
};

int main(int argc, char** argv) {
    const std::string name = "conform", version = "1 \"é\"", mode = argc > 1 ? argv[1] : "";
    Drawn drawn;
    Seeing seeing;
    if (mode == "first") return arena::run(name, version, [](const arena::Turn& turn) { return turn.legal[0]; });
    if (mode == "random") return arena::run(name, version, drawn);
    if (mode == "see") return arena::run(name, version, seeing);
    return arena::run(name, version, [](const arena::Turn&) -> arena::Move { throw std::runtime_error("broken on purpose"); });
}
