import static fivethreefive.FiveThreeFive.*;

import java.util.List;

public final class MainTest {
    static Action choice(Action... legal) {
        var none = List.<Integer>of();
        var clock = new Clock(1000, 0, 0, null);
        return Main.act(new Turn("test", 1, 0, 1, 0, none, none, -1, none, none, none, 0, List.of(), List.of(legal), clock, 0)).action();
    }

    static void check(Action want, Action got) {
        if (!want.equals(got)) throw new AssertionError("want " + want + ", got " + got);
    }

    public static void main(String[] args) {
        Action add = new Action("add", List.of(8)), pass = new Action("pass", List.of());
        check(pass, choice(add, pass));
        Action one = new Action("lead", List.of(3)), two = new Action("lead", List.of(3, 4));
        check(two, choice(one, two));
        System.out.println("ok");
    }
}
