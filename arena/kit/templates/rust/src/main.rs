mod fivethreefive;

use fivethreefive::{run, Action, Info, Move, Turn};

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
    run(Info { name: "mybot", version: "1" }, &mut act)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(legal: &[(&str, &[u8])]) -> Action {
        let action = |(kind, cards): &(&str, &[u8])| Action { kind: kind.to_string(), cards: cards.to_vec() };
        act(&Turn { legal: legal.iter().map(action).collect(), ..Turn::default() }).action
    }

    #[test]
    fn keeps_the_eight() {
        assert_eq!(choice(&[("add", &[8]), ("pass", &[])]).kind, "pass");
    }

    #[test]
    fn plays_many_cards() {
        assert_eq!(choice(&[("lead", &[3]), ("lead", &[3, 4])]).cards, [3, 4]);
    }
}
