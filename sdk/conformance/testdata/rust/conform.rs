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
    fn start(&mut self, start: &Json) {
        self.0 = Random::new(start["seed"].integer());
    }

    fn act(&mut self, turn: &Turn) -> Move {
        (&turn.legal[self.0.below(turn.legal.len())]).into()
    }
}

/// Tells everything that it sees.
struct Seeing(Drawn);

impl Bot for Seeing {
    fn start(&mut self, s: &Json) {
        self.0.start(s);
        let (r, c) = (&s["rules"], &s["clock"]);
        let names: Vec<_> = s["names"].list().iter().map(Json::text).collect();
        println!(
            "start {} {} {} {} {} {} {} {} {} {} {} {} {} {} {}",
            s["game"].text(), s["seat"].number(), s["players"].number(), names.join(" "), r["preset"].text(), r["players"].number(),
            r["copies"].number(), r["hand_size"].number(), r["target"].number(), r["permanent_pass"].flag() as u8,
            r["greater_overwrite"].flag() as u8, c["move_ms"].number(), c["bank_ms"].number(), c["increment_ms"].number(),
            s["seed"].number()
        );
    }

    fn act(&mut self, t: &Turn) -> Move {
        let ms = &t.clock["last_ms"];
        let last = if *ms == Json::Null { -1.0 } else { (ms.number() * 1000.0).round() };
        t.log(format!(
            "seat {} round {} half {} hand {} meld {} by {} counts {} scores {} passed {} undealt {} clock {} {} {last}",
            t.seat, t.round, t.half, show(&t.hand), show(&t.meld), t.meld_seat.map_or(-1, |seat| seat as i64), list(&t.counts),
            list(&t.scores), list(&t.passed), t.undealt, t.clock["move_ms"].number(), t.clock["bank_ms"].number()
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
        let (left, limit) = (t.time_left_ms(), t.clock["move_ms"].number() + t.clock["bank_ms"].number());
        let right = left >= (limit - 300_000.0).max(0.0) && left <= limit;
        t.log(format!("time {}", if right { "left" } else { "wrong" }));
        let note = if t.turn % 2 == 1 { "é".repeat(40_000) } else { "a \"b\" \\ \n\x01 😀".into() };
        Move { action: t.legal.last().unwrap().clone(), note }
    }

    fn end(&mut self, e: &Json) {
        println!("end {} {} {} {} {}", e["game"].text(), e["reason"].text(), numbers(e, "scores"), numbers(e, "ranks"), e.events().len());
    }
}

fn numbers(json: &Json, name: &str) -> String {
    list(&json[name].integers::<i64>())
}

fn list<T: ToString>(items: &[T]) -> String {
    format!("[{}]", items.iter().map(T::to_string).collect::<Vec<_>>().join(" "))
}

fn describe(cards: &[u8]) -> String {
    let kind = meld(cards).map_or("none".into(), |m| format!("{:?} {} {}", m.kind, m.low, m.size).to_lowercase());
    format!("{kind} strength {} points {}", strength(cards), points(cards))
}

fn event(e: &Json) -> String {
    let number = |name| e[name].number();
    match e["type"].text().as_str() {
        "deal" => format!(
            "deal {} {} {} {} {}", number("round"), number("half"), number("leader"), numbers(e, "counts"), numbers(e, "hand")
        ),
        "play" => format!(
            "play {} {} {} {}/{}", number("seat"), e["action"].action(), numbers(e, "meld"), e["by"].text(), e["fault"].text()
        ),
        "clear" => format!("clear {} {}", number("seat"), e["reason"].text()),
        _ => {
            let hands: Vec<_> = e["hands"].list().iter().map(|hand| show(&hand.integers())).collect();
            format!(
                "score {} {} {} {} {} {}", number("round"), number("half"), number("out"), hands.join(" "), numbers(e, "points"),
                numbers(e, "scores")
            )
        }
    }
}

fn main() -> std::io::Result<()> {
    let (name, version) = ("conform", "1 \"é\"");
    let drawn = Drawn(Random::new(0));
    match std::env::args().nth(1).unwrap_or_default().as_str() {
        "first" => run(name, version, First),
        "random" => run(name, version, drawn),
        "see" => run(name, version, Seeing(drawn)),
        _ => run(name, version, |_: &Turn| -> Move { panic!("broken on purpose") }),
    }
}
