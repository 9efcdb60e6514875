mod fivethreefive;

use fivethreefive::*;

struct First;

impl Bot for First {
    fn act(&mut self, turn: &Turn) -> Move {
        (&turn.legal[0]).into()
    }
}

struct Drawn(Random);

impl Bot for Drawn {
    fn start(&mut self, start: &Start) {
        self.0 = Random::new(start.seed);
    }

    fn act(&mut self, turn: &Turn) -> Move {
        (&turn.legal[self.0.below(turn.legal.len())]).into()
    }
}

/// Tells everything that it sees.
struct Seeing(Drawn);

impl Bot for Seeing {
    fn start(&mut self, s: &Start) {
        self.0.start(s);
        let (r, c) = (&s.rules, &s.clock);
        println!(
            "start {} {} {} {} {} {} {} {} {} {} {} {} {} {} {}",
            s.game, s.seat, s.players, s.names.join(" "), r.preset, r.players, r.copies, r.hand_size, r.target,
            r.permanent_pass as u8, r.greater_overwrite as u8, c.move_ms, c.bank_ms, c.increment_ms, s.seed
        );
    }

    fn act(&mut self, t: &Turn) -> Move {
        let last = t.clock.last_ms.map_or(-1, |ms| (ms * 1000.0).round() as i64);
        t.log(format!(
            "seat {} round {} half {} hand {} meld {} by {} counts {} scores {} passed {} undealt {} clock {} {} {last}",
            t.seat, t.round, t.half, show(&t.hand), show(&t.meld), t.meld_seat.map_or(-1, |seat| seat as i64), list(&t.counts),
            list(&t.scores), list(&t.passed), t.undealt, t.clock.move_ms, t.clock.bank_ms
        ));
        for e in &t.events {
            t.log(event(e));
        }
        for a in &t.legal {
            t.log(format!("legal {a}: {} beats {}", describe(&a.cards), beats(&a.cards, &t.meld) as u8));
        }
        let reversed = |cards: &[u8]| describe(&cards.iter().rev().copied().collect::<Vec<_>>());
        let windows: Vec<_> = (1..=6).flat_map(|n| t.hand.windows(n)).map(reversed).collect();
        t.log(format!("hand: {}", windows.join("; ")));
        let r = &mut self.0 .0;
        t.log(format!("random {} {} {} {} {}", r.below(1), r.below(6), r.below(1000000), r.below(2147483647), r.next()));
        let (left, limit) = (t.time_left_ms(), (t.clock.move_ms + t.clock.bank_ms) as f64);
        let right = left >= (limit - 300_000.0).max(0.0) && left <= limit;
        t.log(format!("time {}", if right { "left" } else { "wrong" }));
        let note = if t.turn % 2 == 1 { "é".repeat(40_000) } else { "a \"b\" \\ \n\x01 😀".into() };
        Move { action: t.legal.last().unwrap().clone(), note }
    }

    fn end(&mut self, e: &End) {
        println!("end {} {} {} {} {}", e.game, e.reason, list(&e.scores), list(&e.ranks), e.events.len());
    }
}

fn list<T: ToString>(items: &[T]) -> String {
    format!("[{}]", items.iter().map(T::to_string).collect::<Vec<_>>().join(" "))
}

fn describe(cards: &[u8]) -> String {
    let kind = meld(cards).map_or("none".into(), |m| format!("{:?} {} {}", m.kind, m.low, m.size).to_lowercase());
    format!("{kind} strength {} points {}", strength(cards), points(cards))
}

fn event(e: &Event) -> String {
    match e.kind.as_str() {
        "deal" => format!("deal {} {} {} {} {}", e.round, e.half, e.leader, list(&e.counts), show(&e.hand)),
        "play" => format!("play {} {} {} {}/{}", e.seat, e.action, show(&e.meld), e.by, e.fault),
        "clear" => format!("clear {} {}", e.seat, e.reason),
        _ => {
            let hands: Vec<_> = e.hands.iter().map(|hand| show(hand)).collect();
            format!("score {} {} {} {} {} {}", e.round, e.half, e.out, hands.join(" "), list(&e.points), list(&e.scores))
        }
    }
}

fn main() -> std::io::Result<()> {
    let info = Info { name: "conform", version: "1 \"é\"" };
    let drawn = Drawn(Random::new(0));
    match std::env::args().nth(1).unwrap_or_default().as_str() {
        "first" => run(info, &mut First),
        "random" => run(info, &mut { drawn }),
        "see" => run(info, &mut Seeing(drawn)),
        _ => run(info, &mut |_: &Turn| -> Move { panic!("broken on purpose") }),
    }
}
