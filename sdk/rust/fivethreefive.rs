//! Makes a bot for Five Three Five Arena out of a strategy. It needs nothing but std.
//! See <https://github.com/fivethreefive/fivethreefive/tree/main/sdk/rust#readme>
#![allow(dead_code)] // a bot need not use all of it

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write};
use std::ops::Index;
use std::str::Chars;
use std::time::Instant;

pub const RANKS: [u8; 13] = [1, 2, 3, 4, 5, 7, 8, 9, 11, 12, 13, 14, 15];

/// A kind, "lead", "overwrite", "add" or "pass", with the cards played in ascending order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    pub kind: String,
    pub cards: Vec<u8>,
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.kind.as_str() {
            "pass" => write!(f, "pass"),
            kind => write!(f, "{kind} {}", show(&self.cards)),
        }
    }
}

/// Cards as text: `[2 3]`.
pub fn show(cards: &[u8]) -> String {
    format!("{cards:?}").replace(',', "")
}

/// An action with a note of at most 1 KiB that goes into the replay. `action.into()` is one without.
#[derive(Clone, Debug)]
pub struct Move {
    pub action: Action,
    pub note: String,
}

impl From<&Action> for Move {
    fn from(action: &Action) -> Move {
        Move { action: action.clone(), note: String::new() }
    }
}

/// What the seat may know. `legal` is never empty, and whatever is in it may be returned.
#[derive(Clone, Debug)]
pub struct Turn {
    pub game: String,
    pub turn: i64,
    pub seat: usize,
    pub round: i64,
    pub half: i64,
    pub hand: Vec<u8>,
    pub meld: Vec<u8>,
    /// Who played last; None on a lead.
    pub meld_seat: Option<usize>,
    pub counts: Vec<usize>,
    pub scores: Vec<i64>,
    pub passed: Vec<usize>,
    pub undealt: usize,
    pub events: Vec<Json>,
    pub legal: Vec<Action>,
    pub clock: Json,
    pub read_at: Instant,
}

impl Turn {
    pub fn of(m: &Json) -> Turn {
        Turn {
            game: m["game"].text(),
            turn: m["turn"].integer(),
            seat: m["seat"].integer(),
            round: m["round"].integer(),
            half: m["half"].integer(),
            hand: m["hand"].integers(),
            meld: m["meld"].integers(),
            meld_seat: usize::try_from(m["meld_seat"].integer::<i64>()).ok(),
            counts: m["counts"].integers(),
            scores: m["scores"].integers(),
            passed: m["passed"].integers(),
            undealt: m["undealt"].integer(),
            events: m.events(),
            legal: m["legal"].list().iter().map(Json::action).collect(),
            clock: m["clock"].clone(),
            read_at: Instant::now(),
        }
    }

    /// Milliseconds until the turn is lost, the bank included; not below 0.
    pub fn time_left_ms(&self) -> f64 {
        let limit = self.clock["move_ms"].number() + self.clock["bank_ms"].number();
        (limit - self.read_at.elapsed().as_secs_f64() * 1000.0).max(0.0)
    }

    /// Writes a line to stderr that names the game and the turn.
    pub fn log(&self, text: impl fmt::Display) {
        eprintln!("{} turn {}: {text}", self.game, self.turn);
    }
}

/// Decides. A function from `&Turn` to `Move` is a Bot that needs no memory.
pub trait Bot {
    fn start(&mut self, _start: &Json) {}
    fn act(&mut self, turn: &Turn) -> Move;
    fn end(&mut self, _end: &Json) {}
}

impl<F: FnMut(&Turn) -> Move> Bot for F {
    fn act(&mut self, turn: &Turn) -> Move {
        self(turn)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Single,
    Set,
    Run,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meld {
    pub kind: Kind,
    pub low: u8,
    pub size: usize,
}

/// The meld that the cards form, in whatever order. No run crosses 5-7, 9-11 or 15-1.
pub fn meld(cards: &[u8]) -> Option<Meld> {
    let mut sorted = cards.to_vec();
    sorted.sort_unstable();
    if !sorted.iter().all(|card| RANKS.contains(card)) {
        return None;
    }
    let (low, size) = (*sorted.first()?, sorted.len());
    let set = sorted.iter().all(|&card| card == low);
    let run = sorted.iter().zip(low..).all(|(&card, next)| card == next);
    let kind = match (set, run) {
        (true, true) => Kind::Single,
        (true, false) => Kind::Set,
        (false, true) => Kind::Run,
        (false, false) => return None,
    };
    Some(Meld { kind, low, size })
}

/// Higher beats lower among melds of one kind and size: the rank, and in a run 16 - its lowest. 0 for no meld.
pub fn strength(cards: &[u8]) -> u8 {
    match meld(cards) {
        None => 0,
        Some(Meld { kind: Kind::Run, low, .. }) => 16 - low,
        Some(Meld { low, .. }) => low,
    }
}

/// Whether a meld may overwrite another by equal kind and size and greater strength.
pub fn beats(cards: &[u8], other: &[u8]) -> bool {
    let same = |a: Meld, b: Meld| a.kind == b.kind && a.size == b.size;
    meld(cards).zip(meld(other)).map_or(false, |(a, b)| same(a, b)) && strength(cards) > strength(other)
}

/// Penalty points: 3 for a 1 or 15, 5 for an 8, 2 for 11 to 14, 1 for any other card.
pub fn points(cards: &[u8]) -> u32 {
    cards.iter().map(|card| match card { 1 | 15 => 3, 8 => 5, 11..=14 => 2, _ => 1 }).sum()
}

/// Numbers that are the same in all SDKs for the same seed: Marsaglia's xorshift128.
#[derive(Clone, Debug)]
pub struct Random([u32; 4]);

impl Random {
    pub fn new(seed: u64) -> Random {
        let mut random = Random([seed as u32, (seed >> 32) as u32, 0x9E3779B9, 0x7F4A7C15]);
        for _ in 0..16 {
            random.next();
        }
        random
    }

    /// 32 random bits.
    #[allow(clippy::should_implement_trait)] // the name that it has in all SDKs
    pub fn next(&mut self) -> u32 {
        let [x, y, z, w] = self.0;
        let t = x ^ (x << 11);
        self.0 = [y, z, w, w ^ (w >> 19) ^ t ^ (t >> 8)];
        self.0[3]
    }

    /// 0 to n-1, each as likely as the others; n is at least 1.
    pub fn below(&mut self, n: usize) -> usize {
        let n = n as u64;
        let limit = (1 << 32) - (1 << 32) % n;
        let mut drawn = u64::from(self.next());
        while drawn >= limit {
            drawn = u64::from(self.next());
        }
        (drawn % n) as usize
    }
}

/// Plays on stdin and stdout until the arena says quit or closes stdin. On Unix, prints go to stderr from here on. The name and
/// the version may be empty.
pub fn run(name: &str, version: &str, mut bot: impl Bot) -> io::Result<()> {
    let mut out = take_stdout()?;
    let mut game = String::new();
    for line in io::stdin().lines() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        let m = Json::parse(&line);
        match m["type"].text().as_str() {
            "hello" => out.write_all(ready(name, version).as_bytes())?,
            "start" => {
                game = m["game"].text();
                bot.start(&m);
            }
            "turn" => {
                let turn = Turn::of(&m);
                out.write_all(answer(turn.turn, bot.act(&turn)).as_bytes())?;
            }
            "error" => eprintln!("{game} turn {}: {}", m["turn"].integer::<i64>(), fault(&m)),
            "end" => bot.end(&m),
            "quit" => break,
            _ => {} // of a later version
        }
    }
    Ok(())
}

/// A second handle of stdout, while the first one leads to stderr.
#[cfg(unix)]
fn take_stdout() -> io::Result<std::fs::File> {
    use std::os::unix::io::AsFd;
    extern "C" {
        fn dup2(from: i32, to: i32) -> i32;
    }
    let out = io::stdout().as_fd().try_clone_to_owned()?;
    // It takes numbers and touches no memory.
    match unsafe { dup2(2, 1) } {
        1 => Ok(out.into()),
        _ => Err(io::Error::last_os_error()),
    }
}

#[cfg(not(unix))]
fn take_stdout() -> io::Result<io::Stdout> {
    Ok(io::stdout())
}

fn ready(name: &str, version: &str) -> String {
    format!("{{\"type\":\"ready\"{}{},\"protocol\":1}}\n", field("name", name), field("version", version))
}

/// Of a longer note the arena keeps 1 KiB, but a line of more than 64 KiB would lose the game.
fn answer(turn: i64, chosen: Move) -> String {
    let kind = quote(&chosen.action.kind);
    let cards = format!("{:?}", chosen.action.cards).replace(' ', "");
    let note = field("note", &chosen.note.chars().take(1024).collect::<String>());
    format!("{{\"type\":\"move\",\"turn\":{turn},\"action\":{{\"type\":{kind},\"cards\":{cards}}}{note}}}\n")
}

/// Nothing where the value is empty.
fn field(name: &str, value: &str) -> String {
    if value.is_empty() { String::new() } else { format!(",\"{name}\":{}", quote(value)) }
}

fn quote(text: &str) -> String {
    let mut out = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c < ' ' => out += &format!("\\u{:04x}", c as u32),
            c => out.push(c),
        }
    }
    out + "\""
}

fn fault(m: &Json) -> String {
    let mut text = format!("{}: {}", m["code"].text(), m["message"].text());
    if m["applied"] != Json::Null {
        text += &format!("; the arena played {}", m["applied"].action());
    }
    if m["strike_limit"].number() > 0.0 {
        text += &format!("; strike {} of {}", m["strikes"].number(), m["strike_limit"].number());
    }
    text
}

/// A JSON value; fields are had by `json["name"]` and named as in the protocol. What is missing, or of another type, is empty.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Object(BTreeMap<String, Json>),
}

impl Index<&str> for Json {
    type Output = Json;

    fn index(&self, name: &str) -> &Json {
        match self {
            Json::Object(fields) => fields.get(name).unwrap_or(&Json::Null),
            _ => &Json::Null,
        }
    }
}

impl Json {
    /// Panics at what is no JSON.
    pub fn parse(text: &str) -> Json {
        Reader { rest: text }.value().unwrap_or_else(|| panic!("this is no JSON: {text}"))
    }

    pub fn flag(&self) -> bool {
        *self == Json::Bool(true)
    }

    pub fn text(&self) -> String {
        if let Json::Text(text) = self { text.clone() } else { String::new() }
    }

    pub fn number(&self) -> f64 {
        if let Json::Number(number) = self { *number } else { 0.0 }
    }

    pub fn integer<T: TryFrom<i64> + Default>(&self) -> T {
        T::try_from(self.number() as i64).unwrap_or_default()
    }

    pub fn list(&self) -> &[Json] {
        if let Json::List(items) = self { items } else { &[] }
    }

    pub fn integers<T: TryFrom<i64> + Default>(&self) -> Vec<T> {
        self.list().iter().map(Json::integer).collect()
    }

    pub fn action(&self) -> Action {
        Action { kind: self["type"].text(), cards: self["cards"].integers() }
    }

    /// Those of the types that this version knows: deal, play, clear and score.
    pub fn events(&self) -> Vec<Json> {
        let known = |event: &&Json| ["deal", "play", "clear", "score"].contains(&event["type"].text().as_str());
        self["events"].list().iter().filter(known).cloned().collect()
    }
}

/// Reads JSON that is well formed. None where it is cut off.
struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    /// Takes the next character that is no blank, if it is this one.
    fn take(&mut self, c: char) -> bool {
        self.rest = self.rest.trim_start_matches([' ', '\t', '\r', '\n', '\u{feff}']); // the last is a byte order mark
        let after = self.rest.strip_prefix(c);
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    fn value(&mut self) -> Option<Json> {
        if self.take('{') {
            let mut fields = BTreeMap::new();
            while !self.take('}') {
                self.take('"');
                let name = self.text()?;
                self.take(':');
                fields.insert(name, self.value()?);
                self.take(',');
            }
            return Some(Json::Object(fields));
        }
        if self.take('[') {
            let mut items = Vec::new();
            while !self.take(']') {
                items.push(self.value()?);
                self.take(',');
            }
            return Some(Json::List(items));
        }
        if self.take('"') {
            return self.text().map(Json::Text);
        }
        let end = self.rest.find(['}', ']', ',', ' ', '\t', '\r', '\n'])?;
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        match word {
            "true" => Some(Json::Bool(true)),
            "false" => Some(Json::Bool(false)),
            "null" => Some(Json::Null),
            number => number.parse().ok().map(Json::Number),
        }
    }

    fn text(&mut self) -> Option<String> {
        let mut units = Vec::new(); // of UTF-16, as an escape may be half of a character
        let mut chars = self.rest.chars();
        loop {
            match chars.next()? {
                '"' => break,
                '\\' => units.push(escaped(&mut chars)?),
                c => units.extend_from_slice(c.encode_utf16(&mut [0; 2])),
            }
        }
        self.rest = chars.as_str();
        Some(String::from_utf16_lossy(&units))
    }
}

fn escaped(chars: &mut Chars) -> Option<u16> {
    Some(match chars.next()? {
        'b' => 8,
        't' => 9,
        'n' => 10,
        'f' => 12,
        'r' => 13,
        'u' => u16::from_str_radix(&chars.take(4).collect::<String>(), 16).ok()?,
        c => c as u16,
    })
}
