//! Makes a bot for Five Three Five Arena out of a strategy.
//! See <https://github.com/fivethreefive/fivethreefive/tree/main/sdk/rust#readme>
//!
//! It speaks version 1 of the bot protocol over stdin and stdout, and needs nothing but std.
#![allow(dead_code)] // a bot need not use all of it

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, Write};
use std::time::Instant;

pub const RANKS: [u8; 13] = [1, 2, 3, 4, 5, 7, 8, 9, 11, 12, 13, 14, 15];

/// Makes a struct that is read from the JSON fields of the same names. What is missing there is empty.
macro_rules! read {
    ($($(#[$doc:meta])* $name:ident { $($(#[$about:meta])* $field:ident: $type:ty,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct $name { $($(#[$about])* pub $field: $type,)* }

        impl Read for $name {
            fn read(json: &Json) -> Self {
                $name { $($field: json.get(stringify!($field)),)* }
            }
        }
    )*};
}

read! {
    /// A kind, "lead", "overwrite", "add" or "pass", with the cards played in ascending order.
    Action { kind: String, cards: Vec<u8>, }

    Rules {
        preset: String, players: usize, copies: usize, hand_size: usize, target: i64,
        permanent_pass: bool, greater_overwrite: bool,
    }

    /// Milliseconds. `increment_ms` is for a start only, `last_ms` for turns only; it is None on the first.
    Clock { move_ms: i64, bank_ms: i64, increment_ms: i64, last_ms: Option<f64>, }

    /// Kind "deal", "play", "clear" or "score"; fields that the kind does not have are empty.
    Event {
        kind: String, seat: usize, action: Action, meld: Vec<u8>, by: String, fault: String, reason: String,
        round: i64, half: i64, leader: usize, out: usize, counts: Vec<usize>, hand: Vec<u8>, hands: Vec<Vec<u8>>,
        points: Vec<i64>, scores: Vec<i64>,
    }

    /// The seed is for `Random`, so that a run can be repeated.
    Start {
        game: String, seat: usize, players: usize, names: Vec<String>, rules: Rules, clock: Clock, seed: u64,
    }

    /// What the seat may know. `legal` is never empty, and whatever is in it may be returned.
    Turn {
        game: String, turn: i64, seat: usize, round: i64, half: i64, hand: Vec<u8>, meld: Vec<u8>,
        /// Who played last; None on a lead.
        meld_seat: Option<usize>,
        counts: Vec<usize>, scores: Vec<i64>, passed: Vec<usize>, undealt: usize,
        events: Vec<Event>, legal: Vec<Action>, clock: Clock, read_at: ReadAt,
    }

    End { game: String, reason: String, scores: Vec<i64>, ranks: Vec<i64>, events: Vec<Event>, }

    Fault { turn: i64, code: String, message: String, applied: Option<Action>, strikes: i64, strike_limit: i64, }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.kind.as_str() {
            "pass" => write!(f, "pass"),
            kind => write!(f, "{kind} {}", show(&self.cards)),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.message)?;
        if let Some(action) = &self.applied {
            write!(f, "; the arena played {action}")?;
        }
        match self.strike_limit {
            0 => Ok(()),
            limit => write!(f, "; strike {} of {limit}", self.strikes),
        }
    }
}

impl Event {
    fn known(&self) -> bool {
        ["deal", "play", "clear", "score"].contains(&self.kind.as_str())
    }
}

impl Turn {
    /// Milliseconds until the turn is lost, the bank included; not below 0.
    pub fn time_left_ms(&self) -> f64 {
        let used = self.read_at.0.elapsed().as_secs_f64() * 1000.0;
        ((self.clock.move_ms + self.clock.bank_ms) as f64 - used).max(0.0)
    }

    /// Writes a line to stderr that names the game and the turn.
    pub fn log(&self, text: impl fmt::Display) {
        eprintln!("{} turn {}: {text}", self.game, self.turn);
    }
}

/// When a turn was read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReadAt(Instant);

impl Default for ReadAt {
    fn default() -> ReadAt {
        ReadAt(Instant::now())
    }
}

/// An action with a note of at most 1 KiB that goes into the replay. `action.into()` is one without.
#[derive(Clone, Debug, Default)]
pub struct Move {
    pub action: Action,
    pub note: String,
}

impl From<&Action> for Move {
    fn from(action: &Action) -> Move {
        Move { action: action.clone(), note: String::new() }
    }
}

/// Decides. A closure from `&Turn` to `Move` is a Bot that needs no memory.
pub trait Bot {
    fn start(&mut self, _start: &Start) {}
    fn act(&mut self, turn: &Turn) -> Move;
    fn end(&mut self, _end: &End) {}
}

impl<F: FnMut(&Turn) -> Move> Bot for F {
    fn act(&mut self, turn: &Turn) -> Move {
        self(turn)
    }
}

/// What a bot says of itself; both may be empty.
#[derive(Clone, Copy, Debug, Default)]
pub struct Info<'a> {
    pub name: &'a str,
    pub version: &'a str,
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
    let (low, size) = (*sorted.first()?, sorted.len());
    let kind = if !sorted.iter().all(|card| RANKS.contains(card)) {
        return None;
    } else if sorted.iter().all(|&card| card == low) {
        if size == 1 { Kind::Single } else { Kind::Set }
    } else if sorted.iter().enumerate().all(|(i, &card)| card as usize == low as usize + i) {
        Kind::Run
    } else {
        return None;
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
    match (meld(cards), meld(other)) {
        (Some(a), Some(b)) => a.kind == b.kind && a.size == b.size && strength(cards) > strength(other),
        _ => false,
    }
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
        loop {
            let x = u64::from(self.next());
            if x < limit {
                return (x % n) as usize;
            }
        }
    }
}

/// Plays on stdin and stdout until the arena says quit or closes stdin. On Unix, prints go to stderr from here on.
pub fn run(info: Info, bot: &mut impl Bot) -> io::Result<()> {
    let mut out = take_stdout()?;
    let mut input = io::stdin().lock();
    let (mut line, mut game) = (Vec::new(), String::new());
    while input.read_until(b'\n', &mut line)? > 0 {
        if line.last() != Some(&b'\n') {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the input ended within a line"));
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_start_matches('\u{feff}').trim();
        let message = if text.is_empty() { None } else { parse(text) };
        let kind: String = message.as_ref().map_or_else(String::new, |m| m.get("kind"));
        if kind.is_empty() && !text.is_empty() {
            eprintln!("ignored a line from the arena: it is no JSON object with a type");
        }
        let m = message.unwrap_or(Json::Null);
        match kind.as_str() {
            "hello" => out.write_all(ready(info).as_bytes())?,
            "start" => {
                game = m.get("game");
                bot.start(&Start::read(&m));
            }
            "turn" => {
                let mut turn = Turn::read(&m);
                turn.events.retain(Event::known);
                let chosen = bot.act(&turn);
                out.write_all(answer(turn.turn, chosen).as_bytes())?;
            }
            "error" => {
                let fault = Fault::read(&m);
                eprintln!("{game} turn {}: {fault}", fault.turn);
            }
            "end" => {
                let mut end = End::read(&m);
                end.events.retain(Event::known);
                bot.end(&end);
            }
            "quit" => break,
            _ => {} // of a later version
        }
        line.clear();
    }
    Ok(())
}

/// A second handle of stdout, while the first one leads to stderr.
#[cfg(unix)]
fn take_stdout() -> io::Result<File> {
    use std::os::unix::io::FromRawFd;
    extern "C" {
        fn dup(fd: i32) -> i32;
        fn dup2(from: i32, to: i32) -> i32;
    }
    // Both take numbers and touch no memory, and nobody else has the one that dup returns.
    unsafe {
        let fd = dup(1);
        if fd < 0 || dup2(2, 1) < 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(File::from_raw_fd(fd))
    }
}

#[cfg(not(unix))]
fn take_stdout() -> io::Result<io::Stdout> {
    Ok(io::stdout())
}

fn ready(info: Info) -> String {
    let mut out = String::from("{\"type\":\"ready\"");
    for (name, value) in [("name", info.name), ("version", info.version)] {
        if !value.is_empty() {
            out += &format!(",\"{name}\":{}", quote(value));
        }
    }
    out + ",\"protocol\":1}\n"
}

fn answer(turn: i64, chosen: Move) -> String {
    let cards: Vec<String> = chosen.action.cards.iter().map(u8::to_string).collect();
    let action = format!("{{\"type\":{},\"cards\":[{}]}}", quote(&chosen.action.kind), cards.join(","));
    let mut end = chosen.note.len().min(1024); // more could make the line too long, which would forfeit the game
    while !chosen.note.is_char_boundary(end) {
        end -= 1;
    }
    let note = if end == 0 { String::new() } else { format!(",\"note\":{}", quote(&chosen.note[..end])) };
    format!("{{\"type\":\"move\",\"turn\":{turn},\"action\":{action}{note}}}\n")
}

/// Cards as text: `[2 3]`.
pub fn show(cards: &[u8]) -> String {
    format!("[{}]", cards.iter().map(u8::to_string).collect::<Vec<_>>().join(" "))
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

/// A value of JSON.
#[derive(Clone, Debug)]
pub enum Json {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    /// A field; of a name that is there twice, the last.
    fn get<T: Read>(&self, name: &str) -> T {
        let name = if name == "kind" { "type" } else { name }; // which is no name in Rust
        match self {
            Json::Object(fields) => {
                T::read(fields.iter().rev().find(|(key, _)| key == name).map_or(&Json::Null, |(_, value)| value))
            }
            _ => T::read(&Json::Null),
        }
    }
}

/// What can be read from JSON. A value of another type is read as an empty one.
pub trait Read {
    fn read(json: &Json) -> Self;
}

macro_rules! read_as {
    ($($type:ty: $pattern:pat => $value:expr,)*) => {$(
        impl Read for $type {
            fn read(json: &Json) -> $type {
                match json { $pattern => $value, _ => <$type>::default() }
            }
        }
    )*};
}

read_as! {
    bool: Json::Bool(flag) => *flag,
    u8: Json::Number(n) => *n as u8,
    i64: Json::Number(n) => *n as i64,
    u64: Json::Number(n) => *n as u64,
    usize: Json::Number(n) => *n as usize,
    Option<f64>: Json::Number(n) => Some(*n),
    Option<usize>: Json::Number(n) => if *n < 0.0 { None } else { Some(*n as usize) },
    String: Json::Text(text) => text.clone(),
}

impl<T: Read> Read for Vec<T> {
    fn read(json: &Json) -> Vec<T> {
        if let Json::List(items) = json { items.iter().map(T::read).collect() } else { Vec::new() }
    }
}

impl Read for Option<Action> {
    fn read(json: &Json) -> Option<Action> {
        matches!(json, Json::Object(_)).then(|| Action::read(json))
    }
}

impl Read for ReadAt {
    fn read(_: &Json) -> ReadAt {
        ReadAt::default()
    }
}

/// None where the text is not JSON.
fn parse(text: &str) -> Option<Json> {
    let mut parser = Parser { rest: text };
    let value = parser.value(100)?;
    parser.skip();
    parser.rest.is_empty().then_some(value)
}

struct Parser<'a> {
    rest: &'a str,
}

impl Parser<'_> {
    fn skip(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t', '\r', '\n']);
    }

    fn take(&mut self, word: &str) -> bool {
        self.skip();
        let after = self.rest.strip_prefix(word);
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    fn next(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let c = chars.next();
        self.rest = chars.as_str();
        c
    }

    /// Lists and objects may stand in one another to the depth that is given.
    fn value(&mut self, depth: usize) -> Option<Json> {
        let depth = depth.checked_sub(1)?;
        if self.take("{") {
            let mut fields = Vec::new();
            self.items("}", |p| {
                let key = p.take("\"").then(|| p.text())??;
                fields.push((key, p.take(":").then(|| p.value(depth))??));
                Some(())
            })?;
            return Some(Json::Object(fields));
        } else if self.take("[") {
            let mut items = Vec::new();
            self.items("]", |p| p.value(depth).map(|item| items.push(item)))?;
            return Some(Json::List(items));
        } else if self.take("\"") {
            return self.text().map(Json::Text);
        }
        for (word, value) in [("true", Json::Bool(true)), ("false", Json::Bool(false)), ("null", Json::Null)] {
            if self.take(word) {
                return Some(value);
            }
        }
        let after = self.rest.trim_start_matches(['+', '-', '.', 'e', 'E', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
        let number = self.rest[..self.rest.len() - after.len()].parse().ok()?;
        self.rest = after;
        Some(Json::Number(number))
    }

    fn items(&mut self, close: &str, mut item: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        if self.take(close) {
            return Some(());
        }
        loop {
            item(self)?;
            if self.take(close) {
                return Some(());
            } else if !self.take(",") {
                return None;
            }
        }
    }

    fn text(&mut self) -> Option<String> {
        let mut units: Vec<u16> = Vec::new(); // an escape is a half of a character that needs two
        loop {
            let unit = match self.next()? {
                '"' => return Some(String::from_utf16_lossy(&units)),
                '\\' => match self.next()? {
                    'b' => 8,
                    't' => 9,
                    'n' => 10,
                    'f' => 12,
                    'r' => 13,
                    'u' => {
                        let digits: Option<String> = (0..4).map(|_| self.next()).collect();
                        u16::from_str_radix(&digits?, 16).ok()?
                    }
                    c => c as u16,
                },
                c => {
                    units.extend(c.encode_utf16(&mut [0; 2]).iter());
                    continue;
                }
            };
            units.push(unit);
        }
    }
}
