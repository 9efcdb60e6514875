import static fivethreefive.FiveThreeFive.*;

import fivethreefive.FiveThreeFive;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

public final class Conform {
    static class Drawn implements Bot {
        FiveThreeFive.Random random;

        @Override public void start(Json start) { random = new FiveThreeFive.Random(start.whole("seed")); }

        @Override public Move act(Turn turn) { return turn.legal().get(random.below(turn.legal().size())).play(); }
    }

    /** Tells everything that it sees. */
    static final class Seeing extends Drawn {
        @Override public void start(Json s) {
            super.start(s);
            Json r = s.get("rules"), c = s.get("clock");
            var names = s.list("names").stream().map(name -> (String) name.value()).collect(Collectors.joining(" "));
            System.out.println("start " + s.text("game") + " " + s.integer("seat") + " " + s.integer("players") + " " + names
                + " " + r.text("preset") + " " + r.integer("players") + " " + r.integer("copies") + " " + r.integer("hand_size") + " "
                + r.integer("target") + " " + bit(r.flag("permanent_pass")) + " " + bit(r.flag("greater_overwrite")) + " "
                + c.integer("move_ms") + " " + c.integer("bank_ms") + " " + c.integer("increment_ms") + " "
                + s.whole("seed"));
        }

        @Override public Move act(Turn t) {
            var c = t.clock();
            long last = c.has("last_ms") ? Math.round(c.number("last_ms") * 1000) : -1;
            t.log("seat " + t.seat() + " round " + t.round() + " half " + t.half() + " hand " + show(t.hand()) + " meld "
                + show(t.meld()) + " by " + t.meldSeat() + " counts " + show(t.counts()) + " scores " + show(t.scores())
                + " passed " + show(t.passed()) + " undealt " + t.undealt() + " clock "
                + c.integer("move_ms") + " " + c.integer("bank_ms") + " " + last);
            for (var e : t.events()) t.log(event(e));
            for (var a : t.legal()) {
                t.log("legal " + a + ": " + describe(a.cards()) + " beats " + bit(beats(a.cards(), t.meld())));
            }
            var windows = new ArrayList<String>();
            for (int n = 1; n <= 6; n++) {
                for (int i = 0; i + n <= t.hand().size(); i++) {
                    var window = new ArrayList<>(t.hand().subList(i, i + n));
                    Collections.reverse(window);
                    windows.add(describe(window));
                }
            }
            t.log("hand: " + String.join("; ", windows));
            var r = random;
            t.log("random " + r.below(1) + " " + r.below(6) + " " + r.below(1000000) + " " + r.below(2147483647) + " " + r.next());
            double left = t.timeLeftMs(), limit = c.number("move_ms") + c.number("bank_ms");
            t.log("time " + (left >= Math.max(0, limit - 300_000) && left <= limit ? "left" : "wrong"));
            var action = t.legal().get(t.legal().size() - 1);
            return action.note(t.turn() % 2 == 1 ? "é".repeat(40_000) : "a \"b\" \\ \n\u0001 😀");
        }

        @Override public void end(Json e) {
            System.out.println("end " + e.text("game") + " " + e.text("reason") + " " + show(e.integers("scores")) + " "
                + show(e.integers("ranks")) + " " + e.events().size());
        }
    }

    static int bit(boolean b) { return b ? 1 : 0; }

    static String describe(List<Integer> cards) {
        var m = meld(cards);
        var kind = m == null ? "none" : m.kind() + " " + m.low() + " " + m.size();
        return kind + " strength " + strength(cards) + " points " + points(cards);
    }

    static String event(Json e) {
        String at = e.integer("round") + " " + e.integer("half") + " ", seat = e.integer("seat") + " ";
        return switch (e.text("type")) {
            case "deal" -> "deal " + at + e.integer("leader") + " " + show(e.integers("counts")) + " " + show(e.integers("hand"));
            case "play" -> "play " + seat + e.get("action").action() + " " + show(e.integers("meld")) + " " + e.text("by") + "/"
                + e.text("fault");
            case "clear" -> "clear " + seat + e.text("reason");
            default -> "score " + at + e.integer("out") + " "
                + e.list("hands").stream().map(hand -> show(hand.integers())).collect(Collectors.joining(" ")) + " "
                + show(e.integers("points")) + " " + show(e.integers("scores"));
        };
    }

    public static void main(String[] args) {
        Bot bot = switch (args[0]) {
            case "first" -> turn -> turn.legal().get(0).play();
            case "random" -> new Drawn();
            case "see" -> new Seeing();
            default -> turn -> { throw new IllegalStateException("broken on purpose"); };
        };
        run("conform", "1 \"é\"", bot);
    }
}
