// Makes a bot for Five Three Five Arena out of a strategy.
// See https://github.com/fivethreefive/fivethreefive/tree/main/sdk/cpp#readme
// It speaks version 1 of the bot protocol over stdin and stdout, and needs nothing but C++17.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
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

struct Rules {
    std::string preset;
    int players = 0, copies = 0, hand_size = 0, target = 0;
    bool permanent_pass = false, greater_overwrite = false;
};

/// Milliseconds. increment_ms is for a start only, last_ms for turns only; it has no value on the first.
struct Clock {
    std::int64_t move_ms = 0, bank_ms = 0, increment_ms = 0;
    std::optional<double> last_ms;
};

/// Type "deal", "play", "clear" or "score"; fields that the type does not have are empty.
struct Event {
    std::string type;
    int seat = 0;
    Action action;
    Cards meld;
    std::string by, fault, reason;
    int round = 0, half = 0, leader = 0, out = 0;
    std::vector<int> counts;
    Cards hand;
    std::vector<Cards> hands;
    std::vector<int> points, scores;
};

/// The seed is for Random, so that a run can be repeated.
struct Start {
    std::string game;
    int seat = 0, players = 0;
    std::vector<std::string> names;
    Rules rules;
    Clock clock;
    std::uint64_t seed = 0;
};

/// What the seat may know. legal is never empty, and whatever is in it may be returned. meld_seat is -1 on a lead.
struct Turn {
    std::string game;
    std::int64_t turn = 0;
    int seat = 0, round = 0, half = 0;
    Cards hand, meld;
    int meld_seat = -1;
    std::vector<int> counts, scores, passed;
    int undealt = 0;
    std::vector<Event> events;
    std::vector<Action> legal;
    Clock clock;
    std::chrono::steady_clock::time_point read_at = std::chrono::steady_clock::now();

    /// Milliseconds until the turn is lost, the bank included; not below 0.
    double time_left_ms() const {
        std::chrono::duration<double, std::milli> used = std::chrono::steady_clock::now() - read_at;
        return std::max(0.0, static_cast<double>(clock.move_ms + clock.bank_ms) - used.count());
    }

    /// Writes a line to stderr that names the game and the turn.
    void log(const std::string& text) const { std::cerr << game + " turn " + std::to_string(turn) + ": " + text + "\n"; }
};

struct End {
    std::string game, reason;
    std::vector<int> scores, ranks;
    std::vector<Event> events;
};

/// Decides.
class Bot {
public:
    virtual ~Bot() = default;
    virtual void start(const Start&) {}
    virtual Move act(const Turn& turn) = 0;
    virtual void end(const End&) {}
};

/// What a bot says of itself; both may be empty.
struct Info {
    std::string name, version;
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

/// A JSON value. What is missing in it, or of another type, is empty.
struct Json {
    enum Type { null, boolean, number_, text_, list_, object } type = null;
    bool truth = false;
    double value = 0;
    std::string string;
    std::vector<Json> items;        // of a list, or the values of an object
    std::vector<std::string> names; // of the values of an object

    const Json& operator[](const std::string& name) const {
        static const Json missing;
        for (std::size_t i = names.size(); i-- > 0;) {
            if (names[i] == name) return items[i];
        }
        return missing;
    }
    template <class T>
    std::vector<T> list() const {
        std::vector<T> out;
        if (type == list_) {
            for (const Json& item : items) out.push_back(item.as<T>());
        }
        return out;
    }
    template <class T>
    T as() const;
    std::vector<Event> events() const; // those of known types
    template <class T>
    void into(T& to, const std::string& name) const { to = (*this)[name].as<T>(); }
    template <class T>
    void into(std::vector<T>& to, const std::string& name) const { to = (*this)[name].list<T>(); }
};

template <> inline bool Json::as() const { return truth; }
template <> inline int Json::as() const { return static_cast<int>(value); }
template <> inline std::int64_t Json::as() const { return static_cast<std::int64_t>(value); }
template <> inline std::uint64_t Json::as() const { return static_cast<std::uint64_t>(value); }
template <> inline std::string Json::as() const { return string; }
template <> inline Cards Json::as() const { return list<int>(); }
template <> inline Action Json::as() const { return {(*this)["type"].string, (*this)["cards"].list<int>()}; }
template <> inline Clock Json::as() const {
    Clock c;
    into(c.move_ms, "move_ms"), into(c.bank_ms, "bank_ms"), into(c.increment_ms, "increment_ms");
    if ((*this)["last_ms"].type == number_) c.last_ms = (*this)["last_ms"].value;
    return c;
}
template <> inline Rules Json::as() const {
    Rules r;
    into(r.preset, "preset"), into(r.players, "players"), into(r.copies, "copies"), into(r.hand_size, "hand_size");
    into(r.target, "target"), into(r.permanent_pass, "permanent_pass"), into(r.greater_overwrite, "greater_overwrite");
    return r;
}
template <> inline Event Json::as() const {
    Event e;
    into(e.type, "type"), into(e.seat, "seat"), into(e.action, "action"), into(e.meld, "meld"), into(e.by, "by");
    into(e.fault, "fault"), into(e.reason, "reason"), into(e.round, "round"), into(e.half, "half"), into(e.leader, "leader");
    into(e.out, "out"), into(e.counts, "counts"), into(e.hand, "hand"), into(e.hands, "hands"), into(e.points, "points");
    into(e.scores, "scores");
    return e;
}
inline std::vector<Event> Json::events() const {
    auto all = (*this)["events"].list<Event>();
    auto unknown = [](const Event& e) { return e.type != "deal" && e.type != "play" && e.type != "clear" && e.type != "score"; };
    all.erase(std::remove_if(all.begin(), all.end(), unknown), all.end());
    return all;
}
template <> inline Start Json::as() const {
    Start s;
    into(s.game, "game"), into(s.seat, "seat"), into(s.players, "players"), into(s.names, "names"), into(s.rules, "rules");
    into(s.clock, "clock"), into(s.seed, "seed");
    return s;
}
template <> inline Turn Json::as() const {
    Turn t;
    into(t.game, "game"), into(t.turn, "turn"), into(t.seat, "seat"), into(t.round, "round"), into(t.half, "half");
    into(t.hand, "hand"), into(t.meld, "meld"), into(t.meld_seat, "meld_seat"), into(t.counts, "counts");
    into(t.scores, "scores"), into(t.passed, "passed"), into(t.undealt, "undealt"), t.events = events();
    into(t.legal, "legal"), into(t.clock, "clock");
    return t;
}
template <> inline End Json::as() const {
    End e;
    into(e.game, "game"), into(e.reason, "reason"), into(e.scores, "scores"), into(e.ranks, "ranks"), e.events = events();
    return e;
}

/// Throws std::invalid_argument where the text is not JSON.
class Parser {
public:
    static Json parse(const std::string& text) {
        Parser p{text};
        Json value = p.value(100);
        p.need(p.peek() == '\0' && p.at >= text.size());
        return value;
    }

private:
    explicit Parser(const std::string& t) : text(t) {}

    const std::string& text;
    std::size_t at = 0;

    void need(bool right) const {
        if (!right) throw std::invalid_argument("it is no JSON at byte " + std::to_string(at));
    }
    char peek() {
        while (at < text.size() && std::string(" \t\r\n").find(text[at]) != std::string::npos) at++;
        return at < text.size() ? text[at] : '\0';
    }
    bool take(const std::string& word) {
        peek();
        bool found = text.compare(at, word.size(), word) == 0;
        at += found ? word.size() : 0;
        return found;
    }
    bool more(const std::string& close) {
        if (take(close)) return false;
        need(take(","));
        return true;
    }

    Json value(int depth) {
        need(depth > 0);
        Json out;
        if (take("{")) {
            out.type = Json::object;
            for (bool again = !take("}"); again; again = more("}")) {
                need(take("\""));
                out.names.push_back(string());
                need(take(":"));
                out.items.push_back(value(depth - 1));
            }
        } else if (take("[")) {
            out.type = Json::list_;
            for (bool again = !take("]"); again; again = more("]")) out.items.push_back(value(depth - 1));
        } else if (take("\"")) {
            out.type = Json::text_;
            out.string = string();
        } else if (take("true") || take("false")) {
            out.type = Json::boolean;
            out.truth = text[at - 2] == 'u'; // and not s
        } else if (!take("null")) {
            out.type = Json::number_;
            std::size_t end = std::min(text.find_first_not_of("+-.eE0123456789", at), text.size());
            std::string digits = text.substr(at, end - at);
            char* stop = nullptr;
            out.value = std::strtod(digits.c_str(), &stop);
            need(!digits.empty() && *stop == '\0');
            at = end;
        }
        return out;
    }

    unsigned hex() {
        unsigned code = 0;
        for (int i = 0; i < 4; i++) {
            need(at < text.size());
            std::size_t digit = std::string("0123456789abcdef0123456789ABCDEF").find(text[at++]);
            need(digit != std::string::npos);
            code = code * 16 + digit % 16;
        }
        return code;
    }

    std::string string() {
        std::string out;
        for (;;) {
            need(at < text.size());
            char c = text[at++];
            if (c == '"') return out;
            if (c != '\\') {
                out += c;
                continue;
            }
            need(at < text.size());
            c = text[at++];
            std::size_t escape = std::string("bfnrt").find(c);
            if (c == 'u') {
                append(out, code_point());
            } else {
                out += escape == std::string::npos ? c : "\b\f\n\r\t"[escape];
            }
        }
    }

    /// After \u. Half of a pair, alone, is replaced by U+FFFD.
    unsigned code_point() {
        unsigned high = hex();
        if (high < 0xD800 || high > 0xDFFF) return high;
        std::size_t before = at;
        if (high < 0xDC00 && text.compare(at, 2, "\\u") == 0) {
            at += 2;
            unsigned low = hex();
            if (low >= 0xDC00 && low <= 0xDFFF) return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
            at = before;
        }
        return 0xFFFD;
    }

    static void append(std::string& out, unsigned c) {
        auto byte = [&out](unsigned b) { out += static_cast<char>(b); };
        if (c < 0x80) return byte(c);
        if (c < 0x800) return byte(0xC0 | c >> 6), byte(0x80 | (c & 0x3F));
        if (c < 0x10000) return byte(0xE0 | c >> 12), byte(0x80 | (c >> 6 & 0x3F)), byte(0x80 | (c & 0x3F));
        byte(0xF0 | c >> 18), byte(0x80 | (c >> 12 & 0x3F)), byte(0x80 | (c >> 6 & 0x3F)), byte(0x80 | (c & 0x3F));
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

inline std::string ready(const Info& info) {
    std::string out = "{\"type\":\"ready\"";
    if (!info.name.empty()) out += ",\"name\":" + quote(info.name);
    if (!info.version.empty()) out += ",\"version\":" + quote(info.version);
    return out + ",\"protocol\":1}\n";
}

inline std::string answer(std::int64_t turn, const Move& move) {
    std::string cards;
    for (int card : move.action.cards) cards += (cards.empty() ? "" : ",") + std::to_string(card);
    std::string note = move.note; // of 1 KiB: more could make the line too long, which would forfeit the game
    if (note.size() > 1024) {
        std::size_t end = 1024;
        while (end > 0 && (note[end] & 0xC0) == 0x80) end--;
        note.resize(end);
    }
    return "{\"type\":\"move\",\"turn\":" + std::to_string(turn) + ",\"action\":{\"type\":" + quote(move.action.type) +
           ",\"cards\":[" + cards + "]}" + (note.empty() ? "" : ",\"note\":" + quote(note)) + "}\n";
}

inline std::string fault(const Json& m) {
    std::string text = m["code"].string + ": " + m["message"].string;
    if (m["applied"].type == Json::object) text += "; the arena played " + show(m["applied"].as<Action>());
    if (m["strike_limit"].value > 0) {
        text += "; strike " + std::to_string(m["strikes"].as<int>()) + " of " + std::to_string(m["strike_limit"].as<int>());
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

inline void serve(const Info& info, Bot& bot, std::string& where) {
    std::FILE* out = take_stdout();
    auto send = [out](const std::string& line) {
        if (std::fputs(line.c_str(), out) < 0 || std::fflush(out) != 0) throw std::runtime_error("write to the arena failed");
    };
    std::string game;
    for (std::string line; std::getline(std::cin, line); where.clear()) {
        if (std::cin.eof()) throw std::runtime_error("the input ended within a line");
        if (line.compare(0, 3, "\xEF\xBB\xBF") == 0) line.erase(0, 3);
        if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
        Json m;
        try {
            m = Parser::parse(line);
            if (m["type"].string.empty()) throw std::invalid_argument("it is no object with a type");
        } catch (const std::invalid_argument& e) {
            std::cerr << "ignored a line from the arena: " << e.what() << "\n";
            continue;
        }
        const std::string type = m["type"].string;
        where = game + " turn " + std::to_string(m["turn"].as<std::int64_t>());
        if (type == "hello") {
            send(ready(info));
        } else if (type == "start") {
            game = m["game"].string;
            bot.start(m.as<Start>());
        } else if (type == "turn") {
            Turn turn = m.as<Turn>();
            send(answer(turn.turn, bot.act(turn)));
        } else if (type == "error") {
            std::cerr << where + ": " + fault(m) + "\n";
        } else if (type == "end") {
            bot.end(m.as<End>());
        } else if (type == "quit") {
            return;
        }
    }
}

} // namespace detail

/// Plays on stdin and stdout until the arena says quit or closes stdin. Prints go to stderr from here on. The result is
/// that of main: 0, or 1 after an exception, which is told on stderr.
inline int run(const Info& info, Bot& bot) {
    std::string where;
    try {
        detail::serve(info, bot, where);
        return 0;
    } catch (const std::exception& e) {
        std::cerr << (where.empty() ? "" : where + ": ") << "the bot failed: " << e.what() << std::endl;
    } catch (...) {
        std::cerr << (where.empty() ? "" : where + ": ") << "the bot failed by an unknown exception" << std::endl;
    }
    return 1;
}

/// As run with a Bot, for a function from a Turn to an Action or a Move.
template <class Act, class = std::enable_if_t<std::is_invocable_v<Act&, const Turn&>>>
int run(const Info& info, Act act) {
    struct Function final : Bot {
        Act& decide;
        explicit Function(Act& a) : decide(a) {}
        Move act(const Turn& turn) override { return decide(turn); }
    } bot(act);
    return run(info, static_cast<Bot&>(bot));
}

} // namespace fivethreefive
