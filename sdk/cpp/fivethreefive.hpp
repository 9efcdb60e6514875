// Makes a bot for Five Three Five Arena out of a strategy. It needs nothing but C++17.
// See https://github.com/fivethreefive/fivethreefive/tree/main/sdk/cpp#readme
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <iostream>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#else
#include <unistd.h>
#endif

namespace fivethreefive {

using Cards = std::vector<int>;

inline constexpr std::array<int, 13> ranks{1, 2, 3, 4, 5, 7, 8, 9, 11, 12, 13, 14, 15};

/// Cards as text: [2 3].
inline std::string show(const Cards& cards) {
    std::string out;
    for (int card : cards) out += (out.empty() ? "" : " ") + std::to_string(card);
    return "[" + out + "]";
}

/// A type, "lead", "overwrite", "add" or "pass", with the cards played in ascending order.
struct Action {
    std::string type;
    Cards cards;
};

inline std::string show(const Action& action) { return action.type == "pass" ? "pass" : action.type + " " + show(action.cards); }

/// An action with a note of at most 1 KiB that goes into the replay.
struct Move {
    Action action;
    std::string note;
    Move(Action a, std::string n = "") : action(std::move(a)), note(std::move(n)) {}
};

/// A JSON value; fields are had by json["name"] and named as in the protocol. What is missing, or of another type, is empty.
struct Json {
    bool null = true;
    double number = 0; // true is 1
    std::string text;
    std::vector<Json> list;         // or the values of an object
    std::vector<std::string> names; // of the values of an object

    static Json parse(const std::string& text);

    const Json& operator[](const std::string& name) const {
        static const Json missing;
        for (std::size_t i = names.size(); i-- > 0;) {
            if (names[i] == name) return list[i];
        }
        return missing;
    }
    int integer() const { return static_cast<int>(number); }
    std::int64_t whole() const { return static_cast<std::int64_t>(number); }

    template <class T>
    std::vector<T> each(T (Json::*read)() const) const {
        std::vector<T> out;
        for (const Json& item : list) out.push_back((item.*read)());
        return out;
    }
    std::vector<int> integers() const { return each(&Json::integer); }
    Action action() const { return {(*this)["type"].text, (*this)["cards"].integers()}; }
    std::vector<Action> actions() const { return each(&Json::action); }

    /// Those of the types that this version knows: deal, play, clear and score.
    std::vector<Json> events() const {
        std::vector<Json> out;
        for (const Json& event : (*this)["events"].list) {
            const std::string& type = event["type"].text;
            if (type == "deal" || type == "play" || type == "clear" || type == "score") out.push_back(event);
        }
        return out;
    }
};

/// What the seat may know. legal is never empty, and whatever is in it may be returned. meld_seat is -1 on a lead.
struct Turn {
    std::string game;
    std::int64_t turn;
    int seat, round, half;
    Cards hand, meld;
    int meld_seat;
    std::vector<int> counts, scores, passed;
    int undealt;
    std::vector<Json> events;
    std::vector<Action> legal;
    Json clock;
    std::chrono::steady_clock::time_point read_at = std::chrono::steady_clock::now();

    explicit Turn(const Json& m)
        : game(m["game"].text), turn(m["turn"].whole()), seat(m["seat"].integer()), round(m["round"].integer()),
          half(m["half"].integer()), hand(m["hand"].integers()), meld(m["meld"].integers()), meld_seat(m["meld_seat"].integer()),
          counts(m["counts"].integers()), scores(m["scores"].integers()), passed(m["passed"].integers()),
          undealt(m["undealt"].integer()), events(m.events()), legal(m["legal"].actions()), clock(m["clock"]) {}

    /// Milliseconds until the turn is lost, the bank included; not below 0.
    double time_left_ms() const {
        std::chrono::duration<double, std::milli> used = std::chrono::steady_clock::now() - read_at;
        return std::max(0.0, clock["move_ms"].number + clock["bank_ms"].number - used.count());
    }

    /// Writes a line to stderr that names the game and the turn.
    void log(const std::string& text) const { std::cerr << game + " turn " + std::to_string(turn) + ": " + text + "\n"; }
};

/// Decides.
class Bot {
public:
    virtual ~Bot() = default;
    virtual void start(const Json&) {}
    virtual Move act(const Turn& turn) = 0;
    virtual void end(const Json&) {}
};

enum class Kind { single, set, run };

struct Meld {
    Kind kind;
    int low;
    std::size_t size;
};

/// The meld that the cards form, in whatever order. No run crosses 5-7, 9-11 or 15-1.
inline std::optional<Meld> meld(Cards cards) {
    std::sort(cards.begin(), cards.end());
    bool set = !cards.empty(), run = !cards.empty();
    for (std::size_t i = 0; i < cards.size(); i++) {
        if (std::find(ranks.begin(), ranks.end(), cards[i]) == ranks.end()) return std::nullopt;
        set = set && cards[i] == cards[0];
        run = run && cards[i] == cards[0] + static_cast<int>(i);
    }
    if (set) return Meld{cards.size() > 1 ? Kind::set : Kind::single, cards[0], cards.size()};
    if (run) return Meld{Kind::run, cards[0], cards.size()};
    return std::nullopt;
}

/// Higher beats lower among melds of one kind and size: the rank, and in a run 16 - its lowest. 0 for no meld.
inline int strength(const Cards& cards) {
    auto m = meld(cards);
    if (!m) return 0;
    return m->kind == Kind::run ? 16 - m->low : m->low;
}

/// Whether a meld may overwrite another by equal kind and size and greater strength.
inline bool beats(const Cards& cards, const Cards& other) {
    auto a = meld(cards), b = meld(other);
    return a && b && a->kind == b->kind && a->size == b->size && strength(cards) > strength(other);
}

/// Penalty points: 3 for a 1 or 15, 5 for an 8, 2 for 11 to 14, 1 for any other card.
inline int points(const Cards& cards) {
    return std::accumulate(cards.begin(), cards.end(), 0, [](int sum, int card) {
        return sum + (card == 1 || card == 15 ? 3 : card == 8 ? 5 : card > 10 ? 2 : 1);
    });
}

/// Numbers that are the same in all SDKs for the same seed: Marsaglia's xorshift128.
class Random {
public:
    explicit Random(std::uint64_t seed = 0) : x(static_cast<std::uint32_t>(seed)), y(static_cast<std::uint32_t>(seed >> 32)) {
        for (int i = 0; i < 16; i++) next();
    }

    /// 32 random bits.
    std::uint32_t next() {
        std::uint32_t t = x ^ x << 11;
        x = y, y = z, z = w;
        return w = w ^ w >> 19 ^ t ^ t >> 8;
    }

    /// 0 to n-1, each as likely as the others; n is 1 to 2^32.
    std::size_t below(std::size_t n) {
        const std::uint64_t all = std::uint64_t{1} << 32, limit = all - all % n;
        std::uint64_t number = next();
        while (number >= limit) number = next();
        return static_cast<std::size_t>(number % n);
    }

private:
    std::uint32_t x, y, z = 0x9E3779B9, w = 0x7F4A7C15;
};

namespace detail {

/// Reads JSON that is well formed. Throws a std::logic_error where it is cut off.
class Reader {
public:
    explicit Reader(const std::string& t) : text(t) {}

    Json value() {
        Json out;
        out.null = false;
        if (take('{')) {
            for (; !take('}'); take(',')) {
                out.names.push_back(value().text);
                take(':');
                out.list.push_back(value());
            }
        } else if (take('[')) {
            for (; !take(']'); take(',')) out.list.push_back(value());
        } else if (take('"')) {
            out.text = string();
        } else {
            std::string word = text.substr(at, text.find_first_of("{}[],: \t\r\n", at) - at);
            at += word.size();
            out.null = word == "null";
            if (word != "null" && word != "false") out.number = word == "true" ? 1 : std::stod(word);
        }
        return out;
    }

private:
    const std::string& text;
    std::size_t at = 0;

    /// Takes the next character that is no blank, if it is this one.
    bool take(char c) {
        at = std::min(text.find_first_not_of(" \t\r\n", at), text.size());
        bool found = text.at(at) == c;
        at += found ? 1 : 0;
        return found;
    }

    std::string string() {
        std::string out;
        for (char c; (c = text.at(at++)) != '"';) out += c == '\\' ? escaped(text.at(at++)) : std::string(1, c);
        return out;
    }

    std::string escaped(char c) {
        if (c == 'u') return utf8(code_point());
        std::size_t control = std::string("bfnrt").find(c);
        return {control == std::string::npos ? c : "\b\f\n\r\t"[control]};
    }

    unsigned hex() {
        at += 4;
        return static_cast<unsigned>(std::stoul(text.substr(at - 4, 4), nullptr, 16));
    }

    /// One escape is the first half of a character, where another follows.
    unsigned code_point() {
        unsigned high = hex();
        if (high < 0xD800 || high > 0xDBFF || text.compare(at, 2, "\\u") != 0) return high;
        at += 2;
        return 0x10000 + ((high - 0xD800) << 10) + (hex() - 0xDC00);
    }

    static std::string utf8(unsigned c) {
        auto first = [c](unsigned mark, int shift) { return static_cast<char>(mark | c >> shift); };
        auto next = [c](int shift) { return static_cast<char>(0x80 | (c >> shift & 0x3F)); };
        if (c < 0x80) return {first(0, 0)};
        if (c < 0x800) return {first(0xC0, 6), next(0)};
        if (c < 0x10000) return {first(0xE0, 12), next(6), next(0)};
        return {first(0xF0, 18), next(12), next(6), next(0)};
    }
};

inline std::string quote(const std::string& text) {
    std::string out = "\"";
    for (char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        if (static_cast<unsigned char>(c) < ' ') {
            char escape[8];
            std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
            out += escape;
        } else {
            out += c;
        }
    }
    return out + "\"";
}

/// Nothing where the value is empty.
inline std::string field(const std::string& name, const std::string& value) {
    return value.empty() ? "" : ",\"" + name + "\":" + quote(value);
}

/// Of a longer note the arena keeps 1 KiB, but a line of more than 64 KiB would lose the game.
inline std::string answer(std::int64_t turn, const Move& move) {
    std::string cards;
    for (int card : move.action.cards) cards += (cards.empty() ? "" : ",") + std::to_string(card);
    return "{\"type\":\"move\",\"turn\":" + std::to_string(turn) + ",\"action\":{\"type\":" + quote(move.action.type) +
           ",\"cards\":[" + cards + "]}" + field("note", move.note.substr(0, 4096)) + "}\n";
}

inline std::string fault(const Json& m) {
    std::string text = m["code"].text + ": " + m["message"].text;
    if (!m["applied"].null) text += "; the arena played " + show(m["applied"].action());
    if (m["strike_limit"].number > 0) {
        text += "; strike " + std::to_string(m["strikes"].integer()) + " of " + std::to_string(m["strike_limit"].integer());
    }
    return text;
}

/// A second handle of stdout, while the first one leads to stderr.
inline std::FILE* take_stdout() {
    std::fflush(stdout);
#ifdef _WIN32
    int fd = _dup(1);
    bool done = fd >= 0 && _dup2(2, 1) == 0 && _setmode(fd, _O_BINARY) != -1;
    std::FILE* out = done ? _fdopen(fd, "wb") : nullptr;
#else
    int fd = dup(1);
    std::FILE* out = fd >= 0 && dup2(2, 1) >= 0 ? fdopen(fd, "w") : nullptr;
#endif
    if (out == nullptr) throw std::runtime_error("stdout cannot be taken over");
    return out;
}

/// Sets where to the place of the last turn.
inline void serve(const std::string& ready, Bot& bot, std::string& where) {
    std::FILE* out = take_stdout();
    auto send = [out](const std::string& line) {
        if (std::fputs(line.c_str(), out) < 0 || std::fflush(out) != 0) throw std::runtime_error("write to the arena failed");
    };
    std::string game;
    for (std::string line; std::getline(std::cin, line);) {
        if (line.compare(0, 3, "\xEF\xBB\xBF") == 0) line.erase(0, 3); // a byte order mark
        if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
        const Json m = Json::parse(line);
        const std::string& type = m["type"].text;
        const std::string place = game + " turn " + std::to_string(m["turn"].whole()) + ": ";
        if (type == "hello") {
            send(ready);
        } else if (type == "start") {
            game = m["game"].text;
            bot.start(m);
        } else if (type == "turn") {
            where = place;
            send(answer(m["turn"].whole(), bot.act(Turn(m))));
        } else if (type == "error") {
            std::cerr << place + fault(m) + "\n";
        } else if (type == "end") {
            bot.end(m);
        } else if (type == "quit") {
            return;
        }
    }
}

} // namespace detail

inline Json Json::parse(const std::string& text) {
    try {
        return detail::Reader(text).value();
    } catch (const std::logic_error&) {
        throw std::invalid_argument("this is no JSON: " + text);
    }
}

/// Plays on stdin and stdout until the arena says quit or closes stdin. Prints go to stderr from here on. The result is
/// that of main: 0, or 1 after an exception, which is told on stderr. The name and the version may be empty.
inline int run(const std::string& name, const std::string& version, Bot& bot) {
    using detail::field;
    std::string where;
    try {
        detail::serve("{\"type\":\"ready\"" + field("name", name) + field("version", version) + ",\"protocol\":1}\n", bot, where);
        return 0;
    } catch (const std::exception& e) {
        std::cerr << where << "the bot failed: " << e.what() << std::endl;
        return 1;
    }
}

/// As run with a Bot, for a function from a Turn to an Action or a Move.
inline int run(const std::string& name, const std::string& version, const std::function<Move(const Turn&)>& act) {
    struct Function final : Bot {
        const std::function<Move(const Turn&)>& decide;
        explicit Function(const std::function<Move(const Turn&)>& d) : decide(d) {}
        Move act(const Turn& turn) override { return decide(turn); }
    } bot(act);
    return run(name, version, bot);
}

} // namespace fivethreefive
