package fivethreefive;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Makes a bot for Five Three Five Arena out of a strategy. It speaks version 1 of the bot protocol over stdin and stdout, and
 * needs nothing but Java 17.
 *
 * @see <a href="https://github.com/fivethreefive/fivethreefive/tree/main/sdk/java#readme">README</a>
 */
public final class FiveThreeFive {
    private FiveThreeFive() {}

    public static final List<Integer> RANKS = List.of(1, 2, 3, 4, 5, 7, 8, 9, 11, 12, 13, 14, 15);

    /** A type, "lead", "overwrite", "add" or "pass", with the cards played in ascending order. */
    public record Action(String type, List<Integer> cards) {
        public Move play() { return new Move(this, ""); }

        /** The move that plays this action, with up to 1 KiB of text that goes into the replay. */
        public Move note(String note) { return new Move(this, note); }

        @Override public String toString() { return type.equals("pass") ? type : type + " " + show(cards); }
    }

    public record Move(Action action, String note) {}

    public record Rules(String preset, int players, int copies, int handSize, int target, boolean permanentPass,
            boolean greaterOverwrite) {}

    /** Milliseconds. incrementMs is for a start only, lastMs for turns only; it is null on the first. */
    public record Clock(long moveMs, long bankMs, long incrementMs, Double lastMs) {}

    /** Type "deal", "play", "clear" or "score"; what the type does not have is empty, and its action null. */
    public record Event(String type, int seat, Action action, List<Integer> meld, String by, String fault, String reason,
            int round, int half, int leader, int out, List<Integer> counts, List<Integer> hand, List<List<Integer>> hands,
            List<Integer> points, List<Integer> scores) {}

    /** The seed is for Random, so that a run can be repeated. */
    public record Start(String game, int seat, int players, List<String> names, Rules rules, Clock clock, long seed) {}

    /** What the seat may know. legal is never empty, and whatever is in it may be played. meldSeat is -1 on a lead. */
    public record Turn(String game, long turn, int seat, int round, int half, List<Integer> hand, List<Integer> meld,
            int meldSeat, List<Integer> counts, List<Integer> scores, List<Integer> passed, int undealt, List<Event> events,
            List<Action> legal, Clock clock, long readAtNanos) {
        /** Milliseconds until the turn is lost, the bank included; not below 0. */
        public double timeLeftMs() {
            return Math.max(0, clock.moveMs + clock.bankMs - (System.nanoTime() - readAtNanos) / 1e6);
        }

        /** Writes a line to stderr that names the game and the turn. */
        public void log(Object text) { System.err.println(game + " turn " + turn + ": " + text); }
    }

    public record End(String game, String reason, List<Integer> scores, List<Integer> ranks, List<Event> events) {}

    /** Decides. A lambda from a Turn to a Move is a Bot that needs no memory. */
    @FunctionalInterface
    public interface Bot {
        default void start(Start start) {}

        Move act(Turn turn);

        default void end(End end) {}
    }

    /** Kind "single", "set" or "run". */
    public record Meld(String kind, int low, int size) {}

    /** The meld that the cards form, in whatever order, or null. No run crosses 5-7, 9-11 or 15-1. */
    public static Meld meld(List<Integer> cards) {
        var sorted = cards.stream().sorted().toList();
        if (sorted.isEmpty() || !RANKS.containsAll(sorted)) return null;
        int low = sorted.get(0), size = sorted.size();
        boolean set = true, run = true;
        for (int i = 0; i < size; i++) {
            set &= sorted.get(i) == low;
            run &= sorted.get(i) == low + i;
        }
        if (set) return new Meld(size > 1 ? "set" : "single", low, size);
        return run ? new Meld("run", low, size) : null;
    }

    /** Higher beats lower among melds of one kind and size: the rank, and in a run 16 - its lowest. 0 for no meld. */
    public static int strength(List<Integer> cards) {
        var meld = meld(cards);
        if (meld == null) return 0;
        return meld.kind.equals("run") ? 16 - meld.low : meld.low;
    }

    /** Whether a meld may overwrite another by equal kind and size and greater strength. */
    public static boolean beats(List<Integer> cards, List<Integer> other) {
        Meld a = meld(cards), b = meld(other);
        return a != null && b != null && a.kind.equals(b.kind) && a.size == b.size && strength(cards) > strength(other);
    }

    /** Penalty points: 3 for a 1 or 15, 5 for an 8, 2 for 11 to 14, 1 for any other card. */
    public static int points(List<Integer> cards) {
        return cards.stream().mapToInt(card -> card == 1 || card == 15 ? 3 : card == 8 ? 5 : card > 10 ? 2 : 1).sum();
    }

    /** Numbers that are the same in all SDKs for the same seed: Marsaglia's xorshift128. */
    public static final class Random {
        private int x, y, z = 0x9E3779B9, w = 0x7F4A7C15;

        public Random(long seed) {
            x = (int) seed;
            y = (int) (seed >>> 32);
            for (int i = 0; i < 16; i++) next();
        }

        /** 32 random bits, as 0 to 2^32-1. */
        public long next() {
            int t = x ^ x << 11;
            x = y;
            y = z;
            z = w;
            w = w ^ w >>> 19 ^ t ^ t >>> 8;
            return Integer.toUnsignedLong(w);
        }

        /** 0 to n-1, each as likely as the others. */
        public int below(int n) {
            long limit = (1L << 32) - (1L << 32) % n, x = next();
            while (x >= limit) x = next();
            return (int) (x % n);
        }
    }

    /** As run with a name, a version and an author, each of which may be empty. */
    public static void run(Bot bot) { run("", "", "", bot); }

    /**
     * Plays on stdin and stdout until the arena says quit or closes stdin. Prints go to stderr from here on. What a bot
     * throws ends the program with status 1, its trace on stderr.
     */
    public static void run(String name, String version, String author, Bot bot) {
        System.setOut(System.err);
        try (var out = new FileOutputStream(FileDescriptor.out)) {
            serve(new BufferedInputStream(System.in, 1 << 16), out, ready(name, version, author), bot);
        } catch (Throwable thrown) {
            thrown.printStackTrace();
            System.exit(1);
        }
    }

    private static void serve(InputStream in, FileOutputStream out, String ready, Bot bot) throws IOException {
        var game = "";
        for (String line; (line = readLine(in)) != null; ) {
            if (line.isEmpty()) continue;
            Json m;
            try {
                m = new Json(new Parser(line).document());
            } catch (IllegalArgumentException e) {
                System.err.println("ignored a line from the arena: " + e.getMessage());
                continue;
            }
            switch (m.text("type")) {
                case "hello" -> out.write(ready.getBytes(StandardCharsets.UTF_8));
                case "start" -> {
                    game = m.text("game");
                    bot.start(m.start());
                }
                case "turn" -> {
                    var turn = m.turn();
                    out.write(answer(turn.turn, bot.act(turn)).getBytes(StandardCharsets.UTF_8));
                }
                case "error" -> System.err.println(game + " turn " + m.whole("turn") + ": " + m.fault());
                case "end" -> bot.end(m.end());
                case "quit" -> { return; }
                default -> { } // of a later version
            }
        }
    }

    /** A line without its end, a byte order mark and blanks around it, or null at the end of the input. */
    private static String readLine(InputStream in) throws IOException {
        var line = new ByteArrayOutputStream();
        int b;
        while ((b = in.read()) >= 0 && b != '\n') line.write(b);
        if (b < 0 && line.size() > 0) throw new EOFException("the input ended within a line");
        var text = line.toString(StandardCharsets.UTF_8);
        return b < 0 ? null : (text.startsWith("\uFEFF") ? text.substring(1) : text).strip();
    }

    private static String ready(String name, String version, String author) {
        var out = new StringBuilder("{\"type\":\"ready\"");
        if (!name.isEmpty()) out.append(",\"name\":").append(quote(name));
        if (!version.isEmpty()) out.append(",\"version\":").append(quote(version));
        if (!author.isEmpty()) out.append(",\"author\":").append(quote(author));
        return out.append(",\"protocol\":1}\n").toString();
    }

    private static String answer(long turn, Move move) {
        if (move == null || move.action == null) throw new NullPointerException("act returned no action; play one of turn.legal()");
        var cards = move.action.cards.stream().map(String::valueOf).collect(Collectors.joining(","));
        var note = move.note.isEmpty() ? "" : ",\"note\":" + quote(cut(move.note));
        return "{\"type\":\"move\",\"turn\":" + turn + ",\"action\":{\"type\":" + quote(move.action.type) + ",\"cards\":[" + cards + "]}"
            + note + "}\n";
    }

    /** Keeps 1 KiB: more could make the line too long, which would forfeit the game. */
    private static String cut(String note) {
        var in = CharBuffer.wrap(note);
        StandardCharsets.UTF_8.newEncoder().encode(in, ByteBuffer.allocate(1024), true);
        return note.substring(0, in.position());
    }

    private static String quote(String text) {
        var out = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') out.append('\\').append(c);
            else if (c < ' ') out.append(String.format("\\u%04x", (int) c));
            else out.append(c);
        }
        return out.append('"').toString();
    }

    /** Cards as text: [2 3]. */
    public static String show(List<Integer> cards) {
        return cards.stream().map(String::valueOf).collect(Collectors.joining(" ", "[", "]"));
    }

    /** A JSON value. What is missing in it, or of another type, is empty. */
    private record Json(Object value) {
        Json get(String name) { return new Json(value instanceof Map<?, ?> fields ? fields.get(name) : null); }

        String text(String name) { return get(name).value instanceof String text ? text : ""; }

        long whole(String name) { return get(name).value instanceof Double n ? n.longValue() : 0; }

        int integer(String name) { return (int) whole(name); }

        boolean flag(String name) { return get(name).value == Boolean.TRUE; }

        <T> List<T> list(String name, Function<Json, T> each) { return get(name).items(each); }

        <T> List<T> items(Function<Json, T> each) {
            return value instanceof List<?> items ? items.stream().map(item -> each.apply(new Json(item))).toList() : List.of();
        }

        int integer() { return value instanceof Double n ? n.intValue() : 0; }

        List<Integer> integers(String name) { return list(name, Json::integer); }

        Action action() { return value instanceof Map ? new Action(text("type"), integers("cards")) : null; }

        Clock clock() {
            var last = get("last_ms").value instanceof Double ms ? ms : null;
            return new Clock(whole("move_ms"), whole("bank_ms"), whole("increment_ms"), last);
        }

        Rules rules() {
            return new Rules(text("preset"), integer("players"), integer("copies"), integer("hand_size"), integer("target"),
                flag("permanent_pass"), flag("greater_overwrite"));
        }

        Start start() {
            return new Start(text("game"), integer("seat"), integer("players"), list("names", n -> String.valueOf(n.value)),
                get("rules").rules(), get("clock").clock(), whole("seed"));
        }

        Event event() {
            return new Event(text("type"), integer("seat"), get("action").action(), integers("meld"), text("by"), text("fault"),
                text("reason"), integer("round"), integer("half"), integer("leader"), integer("out"), integers("counts"),
                integers("hand"), list("hands", hand -> hand.items(Json::integer)), integers("points"), integers("scores"));
        }

        List<Event> events() {
            var known = List.of("deal", "play", "clear", "score");
            return list("events", Json::event).stream().filter(event -> known.contains(event.type)).toList();
        }

        Turn turn() {
            return new Turn(text("game"), whole("turn"), integer("seat"), integer("round"), integer("half"), integers("hand"),
                integers("meld"), integer("meld_seat"), integers("counts"), integers("scores"), integers("passed"),
                integer("undealt"), events(), list("legal", Json::action), get("clock").clock(), System.nanoTime());
        }

        End end() {
            return new End(text("game"), text("reason"), integers("scores"), integers("ranks"), events());
        }

        String fault() {
            var out = text("code") + ": " + text("message");
            if (get("applied").action() != null) out += "; the arena played " + get("applied").action();
            return integer("strike_limit") == 0 ? out : out + "; strike " + integer("strikes") + " of " + integer("strike_limit");
        }
    }

    /** Reads JSON: objects as maps, arrays as lists, numbers as doubles. */
    private static final class Parser {
        private final String text;
        private int at;

        Parser(String text) { this.text = text; }

        Map<?, ?> document() {
            var value = value(100);
            if (peek() != 0) throw wrong();
            if (value instanceof Map<?, ?> fields && fields.get("type") instanceof String) return fields;
            throw new IllegalArgumentException("it is no object with a type");
        }

        private IllegalArgumentException wrong() { return new IllegalArgumentException("it is no JSON at character " + at); }

        private char peek() {
            while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
            return at < text.length() ? text.charAt(at) : 0;
        }

        private boolean take(String word) {
            peek();
            boolean found = text.startsWith(word, at);
            at += found ? word.length() : 0;
            return found;
        }

        private void expect(String word) {
            if (!take(word)) throw wrong();
        }

        private Object value(int depth) {
            if (depth == 0) throw new IllegalArgumentException("its values are nested too deeply");
            if (take("{")) {
                var fields = new HashMap<String, Object>();
                for (boolean more = !take("}"); more; more = more("}")) {
                    expect("\"");
                    var name = string();
                    expect(":");
                    fields.put(name, value(depth - 1));
                }
                return fields;
            }
            if (take("[")) {
                var items = new ArrayList<>();
                for (boolean more = !take("]"); more; more = more("]")) items.add(value(depth - 1));
                return items;
            }
            if (take("\"")) return string();
            if (take("true")) return true;
            if (take("false")) return false;
            if (take("null")) return null;
            int start = at;
            while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) at++;
            if (at == start) throw wrong();
            return Double.valueOf(text.substring(start, at));
        }

        private boolean more(String close) {
            if (take(close)) return false;
            expect(",");
            return true;
        }

        private String string() {
            var out = new StringBuilder();
            try {
                for (char c; (c = text.charAt(at++)) != '"'; out.append(c)) {
                    if (c != '\\') continue;
                    c = text.charAt(at++);
                    int escape = "bfnrt".indexOf(c);
                    if (escape >= 0) c = "\b\f\n\r\t".charAt(escape);
                    if (c == 'u') c = (char) Integer.parseInt(text.substring(at, at += 4), 16);
                }
            } catch (IndexOutOfBoundsException e) {
                throw wrong();
            }
            return out.toString();
        }
    }
}
