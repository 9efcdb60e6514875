import static fivethreefive.FiveThreeFive.*;

public final class MainTest {
    static void check(String want, String legal) {
        var got = Main.act(Turn.of(Json.parse("{\"legal\":" + legal + "}"))).action().toString();
        if (!want.equals(got)) throw new AssertionError("want " + want + ", got " + got);
    }

    public static void main(String[] args) {
        check("pass", """
            [{"type":"add","cards":[8]},{"type":"pass","cards":[]}]""");
        check("lead [3 4]", """
            [{"type":"lead","cards":[3]},{"type":"lead","cards":[3,4]}]""");
        System.out.println("ok");
    }
}
