package fivethreefive;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Makes a bot for Five Three Five Arena out of a strategy. It needs nothing but Java 17.
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

    /** What the seat may know. legal is never empty, and whatever is in it may be played. meldSeat is -1 on a lead. */
    public record Turn(String game, long turn, int seat, int round, int half, List<Integer> hand, List<Integer> meld,
            int meldSeat, List<Integer> counts, List<Integer> scores, List<Integer> passed, int undealt, List<Json> events,
            List<Action> legal, Json clock, long readAtNanos) {
        public static Turn of(Json m) {
            return new Turn(m.text("game"), m.whole("turn"), m.integer("seat"), m.integer("round"), m.integer("half"),
                m.integers("hand"), m.integers("meld"), m.integer("meld_seat"), m.integers("counts"), m.integers("scores"),
                m.integers("passed"), m.integer("undealt"), m.events(), m.list("legal").stream().map(Json::action).toList(),
                m.get("clock"), System.nanoTime());
        }

        /** Milliseconds until the turn is lost, the bank included; not below 0. */
        public double timeLeftMs() {
            return Math.max(0, clock.number("move_ms") + clock.number("bank_ms") - (System.nanoTime() - readAtNanos) / 1e6);
        }

        /** Writes a line to stderr that names the game and the turn. */
        public void log(Object text) { System.err.println(game + " turn " + turn + ": " + text); }
    }

    /** Decides. A lambda from a Turn to a Move is a Bot that needs no memory. */
    @FunctionalInterface
    public interface Bot {
        default void start(Json start) {}

        Move act(Turn turn);

        default void end(Json end) {}
    }

    /** Kind "single", "set" or "run". */
    public record Meld(String kind, int low, int size) {}

    /** The meld that the cards form, in whatever order, or null. No run crosses 5-7, 9-11 or 15-1. */
    public static Meld meld(List<Integer> cards) {
        var sorted = cards.stream().sorted().toList();
        if (sorted.isEmpty() || !RANKS.containsAll(sorted)) return null;
        int low = sorted.get(0), size = sorted.size();
        if (Collections.frequency(sorted, low) == size) return new Meld(size > 1 ? "set" : "single", low, size);
        var run = IntStream.range(low, low + size).boxed().toList();
        return sorted.equals(run) ? new Meld("run", low, size) : null;
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

    /**
     * Plays on stdin and stdout until the arena says quit or closes stdin. Prints go to stderr from here on. What a bot
     * throws ends the program with status 1, its trace on stderr. Name and version may be empty.
     */
    public static void run(String name, String version, Bot bot) {
        System.setOut(System.err);
        try (var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
                var out = new FileOutputStream(FileDescriptor.out)) {
            serve(in, out, ready(name, version), bot);
        } catch (Throwable thrown) {
            thrown.printStackTrace();
            System.exit(1);
        }
    }

    private static void serve(BufferedReader in, FileOutputStream out, String ready, Bot bot) throws IOException {
        var game = "";
        for (String line; (line = in.readLine()) != null; ) {
            if (line.isBlank()) continue;
            var m = Json.parse(line);
            switch (m.text("type")) {
                case "hello" -> out.write(ready.getBytes(StandardCharsets.UTF_8));
                case "start" -> {
                    game = m.text("game");
                    bot.start(m);
                }
                case "turn" -> {
                    var turn = Turn.of(m);
                    out.write(answer(turn.turn, bot.act(turn)).getBytes(StandardCharsets.UTF_8));
                }
                case "error" -> System.err.println(game + " turn " + m.whole("turn") + ": " + fault(m));
                case "end" -> bot.end(m);
                case "quit" -> { return; }
                default -> { } // of a later version
            }
        }
    }

    private static String fault(Json m) {
        var out = m.text("code") + ": " + m.text("message");
        if (m.has("applied")) out += "; the arena played " + m.get("applied").action();
        if (m.integer("strike_limit") > 0) out += "; strike " + m.integer("strikes") + " of " + m.integer("strike_limit");
        return out;
    }

    private static String ready(String name, String version) {
        return "{\"type\":\"ready\"" + field("name", name) + field("version", version) + ",\"protocol\":1}\n";
    }

    /** Of a longer note the arena keeps 1 KiB, but a line of more than 64 KiB would lose the game. */
    private static String answer(long turn, Move move) {
        var note = move.note.substring(0, Math.min(move.note.length(), 1024));
        return "{\"type\":\"move\",\"turn\":" + turn + ",\"action\":{\"type\":" + quote(move.action.type) + ",\"cards\":"
            + move.action.cards.toString().replace(" ", "") + "}" + field("note", note) + "}\n";
    }

    /** Nothing where the value is empty. */
    private static String field(String name, String value) { return value.isEmpty() ? "" : ",\"" + name + "\":" + quote(value); }

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
    public static String show(List<Integer> cards) { return cards.toString().replace(",", ""); }

    /** A JSON value, its fields named as in the protocol. What is missing in it, or of another type, is empty. */
    public record Json(Object value) {
        public static Json parse(String text) { return new Json(new Reader(text).value()); }

        public Json get(String name) { return new Json(value instanceof Map<?, ?> fields ? fields.get(name) : null); }
        public boolean has(String name) { return get(name).value != null; }
        public boolean flag(String name) { return get(name).value == Boolean.TRUE; }
        public String text(String name) { return get(name).value instanceof String text ? text : ""; }
        public double number(String name) { return get(name).value instanceof Double number ? number : 0; }
        public long whole(String name) { return (long) number(name); }
        public int integer(String name) { return (int) number(name); }
        public List<Integer> integers(String name) { return get(name).integers(); }
        public List<Json> list(String name) { return get(name).list(); }

        /** The items of a list, such as one of the hands of a score. */
        public List<Integer> integers() { return list().stream().map(item -> ((Double) item.value).intValue()).toList(); }
        public List<Json> list() { return value instanceof List<?> items ? items.stream().map(Json::new).toList() : List.of(); }

        public Action action() { return new Action(text("type"), integers("cards")); }

        /** Those of the types that this version knows: deal, play, clear and score. */
        public List<Json> events() {
            var known = List.of("deal", "play", "clear", "score");
            return list("events").stream().filter(event -> known.contains(event.text("type"))).toList();
        }
    }

    /** Reads JSON that is well formed: objects as maps, arrays as lists, numbers as doubles. Throws at what is cut off. */
    private static final class Reader {
        private final String text;
        private int at;

        Reader(String text) { this.text = text; }

        /** Takes the next character that is no blank, if it is this one. */
        private boolean take(char c) {
            while (" \t\r\n\uFEFF".indexOf(text.charAt(at)) >= 0) at++; // the last is a byte order mark
            boolean found = text.charAt(at) == c;
            at += found ? 1 : 0;
            return found;
        }

        Object value() {
            if (take('{')) {
                var fields = new HashMap<String, Object>();
                for (; !take('}'); take(',')) {
                    var name = (String) value();
                    take(':');
                    fields.put(name, value());
                }
                return fields;
            }
            if (take('[')) {
                var items = new ArrayList<>();
                for (; !take(']'); take(',')) items.add(value());
                return items;
            }
            return take('"') ? string() : word();
        }

        private Object word() {
            int start = at;
            while ("{}[],: \t\r\n".indexOf(text.charAt(at)) < 0) at++;
            var word = text.substring(start, at);
            return switch (word) {
                case "true" -> true;
                case "false" -> false;
                case "null" -> null;
                default -> Double.valueOf(word);
            };
        }

        private String string() {
            var out = new StringBuilder();
            for (char c; (c = text.charAt(at++)) != '"'; ) out.append(c == '\\' ? escaped() : c);
            return out.toString();
        }

        private char escaped() {
            char c = text.charAt(at++);
            if (c == 'u') return (char) Integer.parseInt(text.substring(at, at += 4), 16);
            int control = "bfnrt".indexOf(c);
            return control < 0 ? c : "\b\f\n\r\t".charAt(control);
        }
    }
}
