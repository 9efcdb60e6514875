import static fivethreefive.FiveThreeFive.*;

import java.util.Collections;
import java.util.Comparator;

/** Plays Five Three Five. */
public final class Main {
    /** How good an action looks: many cards are good, and an 8 is better kept. */
    static int worth(Action action) {
        return action.cards().size() - 10 * Collections.frequency(action.cards(), 8);
    }

    /** Answers a turn with the best of the legal actions. */
    static Move act(Turn turn) {
        var best = turn.legal().stream().max(Comparator.comparingInt(Main::worth)).orElseThrow();
        turn.log(turn.hand().size() + " cards in hand, playing " + best);
        return best.play();
    }

    public static void main(String[] args) {
        run("mybot", "1", Main::act);
    }
}
