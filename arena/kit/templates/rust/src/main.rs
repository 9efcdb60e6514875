mod fivethreefive;

use fivethreefive::{run, Action, Move, Turn};

/// How good an action looks: many cards are good, and an 8 is better kept.
fn worth(action: &Action) -> i64 {
    let eights = action.cards.iter().filter(|&&card| card == 8).count();
    action.cards.len() as i64 - 10 * eights as i64
}

/// Answers a turn with the best of the legal actions.
fn act(turn: &Turn) -> Move {
    let best = turn.legal.iter().max_by_key(|action| worth(action)).expect("legal is never empty");
    turn.log(format!("{} cards in hand, playing {best}", turn.hand.len()));
    best.into()
}

fn main() -> std::io::Result<()> {
    run("mybot", "1", act)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fivethreefive::Json;

    fn choice(legal: &str) -> String {
        act(&Turn::of(&Json::parse(&format!("{{\"legal\":{legal}}}")))).action.to_string()
    }

    #[test]
    fn keeps_the_eight() {
        assert_eq!(choice(r#"[{"type":"add","cards":[8]},{"type":"pass","cards":[]}]"#), "pass");
    }

    #[test]
    fn plays_many_cards() {
        assert_eq!(choice(r#"[{"type":"lead","cards":[3]},{"type":"lead","cards":[3,4]}]"#), "lead [3 4]");
    }
}
