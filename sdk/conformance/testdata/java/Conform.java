import static fivethreefive.FiveThreeFive.*;

import fivethreefive.FiveThreeFive;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

public final class Conform {
    static class Drawn implements Bot {
        FiveThreeFive.Random random;

        @Override public void start(Start start) { random = new FiveThreeFive.Random(start.seed()); }

        @Override public Move act(Turn turn) { return turn.legal().get(random.below(turn.legal().size())).play(); }
    }

    /** Tells everything that it sees. */
    static final class Seeing extends Drawn {
        @Override public void start(Start s) {
            super.start(s);
            var r = s.rules();
            var c = s.clock();
            System.out.println("start " + s.game() + " " + s.seat() + " " + s.players() + " " + String.join(" ", s.names()) + " "
                + r.preset() + " " + r.players() + " " + r.copies() + " " + r.handSize() + " " + r.target() + " "
                + bit(r.permanentPass()) + " " + bit(r.greaterOverwrite()) + " " + c.moveMs() + " " + c.bankMs() + " "
                + c.incrementMs() + " " + s.seed());
        }

        @Override public Move act(Turn t) {
            var c = t.clock();
            long last = c.lastMs() == null ? -1 : Math.round(c.lastMs() * 1000);
            t.log("seat " + t.seat() + " round " + t.round() + " half " + t.half() + " hand " + show(t.hand()) + " meld "
                + show(t.meld()) + " by " + t.meldSeat() + " counts " + show(t.counts()) + " scores " + show(t.scores())
                + " passed " + show(t.passed()) + " undealt " + t.undealt() + " clock " + c.moveMs() + " " + c.bankMs() + " " + last);
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
            double left = t.timeLeftMs(), limit = c.moveMs() + c.bankMs();
            t.log("time " + (left >= Math.max(0, limit - 300_000) && left <= limit ? "left" : "wrong"));
            var action = t.legal().get(t.legal().size() - 1);
            return action.note(t.turn() % 2 == 1 ? "é".repeat(600) : "a \"b\" \\ \n\u0001 😀");
        }

        @Override public void end(End e) {
            System.out.println("end " + e.game() + " " + e.reason() + " " + show(e.scores()) + " " + show(e.ranks()) + " "
                + e.events().size());
        }
    }

    static int bit(boolean b) { return b ? 1 : 0; }

    static String describe(List<Integer> cards) {
        var m = meld(cards);
        var kind = m == null ? "none" : m.kind() + " " + m.low() + " " + m.size();
        return kind + " strength " + strength(cards) + " points " + points(cards);
    }

    static String event(Event e) {
        return switch (e.type()) {
            case "deal" -> "deal " + e.round() + " " + e.half() + " " + e.leader() + " " + show(e.counts()) + " " + show(e.hand());
            case "play" -> "play " + e.seat() + " " + e.action() + " " + show(e.meld()) + " " + e.by() + "/" + e.fault();
            case "clear" -> "clear " + e.seat() + " " + e.reason();
            default -> "score " + e.round() + " " + e.half() + " " + e.out() + " "
                + e.hands().stream().map(FiveThreeFive::show).collect(Collectors.joining(" ")) + " " + show(e.points()) + " "
                + show(e.scores());
        };
    }

    public static void main(String[] args) {
        Bot bot = switch (args[0]) {
            case "first" -> turn -> turn.legal().get(0).play();
            case "random" -> new Drawn();
            case "see" -> new Seeing();
            default -> turn -> { throw new IllegalStateException("broken on purpose"); };
        };
        run("conform", "1", "Zoë \"Z\"", bot);
    }
}
