// Makes a bot for Five Three Five Arena out of a strategy.
// See https://github.com/fivethreefive/fivethreefive/tree/main/sdk/javascript#readme
// It speaks version 1 of the bot protocol over stdin and stdout, and needs nothing but Node.js 18.
// The types are in fivethreefive.d.mts.

export const RANKS = Object.freeze([1, 2, 3, 4, 5, 7, 8, 9, 11, 12, 13, 14, 15]);

/** The meld that the cards form, in whatever order, or null. No run crosses 5-7, 9-11 or 15-1. */
export function meld(cards) {
  const sorted = [...cards].sort((a, b) => a - b);
  const [low] = sorted;
  const size = sorted.length;
  if (size === 0 || !sorted.every((card) => RANKS.includes(card))) return null;
  if (sorted.every((card) => card === low)) return { kind: size > 1 ? 'set' : 'single', low, size };
  return sorted.every((card, i) => card === low + i) ? { kind: 'run', low, size } : null;
}

/** Higher beats lower among melds of one kind and size: the rank, and in a run 16 - its lowest. 0 for no meld. */
export function strength(cards) {
  const m = meld(cards);
  if (m === null) return 0;
  return m.kind === 'run' ? 16 - m.low : m.low;
}

/** Whether a meld may overwrite another by equal kind and size and greater strength. */
export function beats(cards, other) {
  const [a, b] = [meld(cards), meld(other)];
  return a !== null && b !== null && a.kind === b.kind && a.size === b.size && strength(cards) > strength(other);
}

/** Penalty points: 3 for a 1 or 15, 5 for an 8, 2 for 11 to 14, 1 for any other card. */
export function points(cards) {
  const value = (card) => {
    if (card === 1 || card === 15) return 3;
    if (card === 8) return 5;
    return card > 10 ? 2 : 1;
  };
  return cards.reduce((sum, card) => sum + value(card), 0);
}

/** Numbers that are the same in all SDKs for the same seed: Marsaglia's xorshift128. */
export class Random {
  #x;
  #y;
  #z = 0x9e3779b9;
  #w = 0x7f4a7c15;

  constructor(seed) {
    this.#x = seed % 2 ** 32 >>> 0;
    this.#y = Math.floor(seed / 2 ** 32) >>> 0;
    for (let i = 0; i < 16; i++) this.next();
  }

  /** 32 random bits. */
  next() {
    const t = this.#x ^ (this.#x << 11);
    [this.#x, this.#y, this.#z] = [this.#y, this.#z, this.#w];
    this.#w = (this.#w ^ (this.#w >>> 19) ^ t ^ (t >>> 8)) >>> 0;
    return this.#w;
  }

  /** 0 to n-1, each as likely as the others; n is at most 2 ** 32. */
  below(n) {
    const limit = 2 ** 32 - (2 ** 32 % n);
    let x = this.next();
    while (x >= limit) x = this.next();
    return x % n;
  }
}

/** An action as text: pass, or add [2 3]. */
export const show = (action) => (action.type === 'pass' ? 'pass' : `${action.type} [${action.cards.join(' ')}]`);

/** A turn with what makes it handy; its fields are those of the protocol. */
class Turn {
  #readAt = performance.now();

  constructor(message) {
    Object.assign(this, message);
  }

  /** Milliseconds until the turn is lost, the bank included; not below 0. */
  timeLeftMs() {
    return Math.max(0, this.clock.move_ms + this.clock.bank_ms - (performance.now() - this.#readAt));
  }

  /** Writes a line to stderr that names the game and the turn. */
  log(text) {
    logLine(this.game, this.turn, text);
  }
}

/**
 * Plays on stdin and stdout until the arena says quit or closes stdin. Prints go to stderr from here on. bot is a function
 * from a turn to an action, or an object with such an act and, if it likes, start and end; all of them may be async.
 */
export async function run(bot, { name, version } = {}) {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  const answer = conversation(bot, { name, version });
  for await (const message of messages()) {
    if (message.type === 'quit') return;
    const reply = await answer(message);
    if (reply) write(`${JSON.stringify(reply)}\n`);
  }
}

/** What a bot says to the messages of the arena, one after the other: a function that gives the reply, or undefined. */
export function conversation(bot, { name, version } = {}) {
  const act = typeof bot === 'function' ? bot : (turn) => bot.act(turn);
  let game = '';
  return async (message) => {
    switch (message.type) {
      case 'hello':
        return { type: 'ready', name, version, protocol: 1 };
      case 'start':
        game = message.game;
        await bot.start?.(message);
        return undefined;
      case 'turn':
        return move(message.turn, await act(new Turn(message)));
      case 'error':
        logLine(game, message.turn, fault(message));
        return undefined;
      case 'end':
        await bot.end?.(message);
        return undefined;
      default: // of a later version
        return undefined;
    }
  };
}

// Lines end at \n alone, whatever else a text has in it.
async function* messages() {
  let rest = Buffer.alloc(0);
  for await (const chunk of process.stdin) {
    rest = Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      const line = rest.toString('utf8', 0, end).trim(); // of a byte order mark too
      rest = rest.subarray(end + 1);
      if (line !== '') yield parse(line);
    }
  }
  if (rest.length > 0) throw new Error('the input ended within a line');
}

/** A message from its line, without the events of a later version. */
export function parse(line) {
  const message = JSON.parse(line);
  const known = (event) => ['deal', 'play', 'clear', 'score'].includes(event.type);
  return message.events ? { ...message, events: message.events.filter(known) } : message;
}

function move(turn, chosen) {
  const { action, note } = chosen?.action ? chosen : { action: chosen, note: '' };
  if (typeof action?.type !== 'string' || !Array.isArray(action.cards)) {
    throw new TypeError(`act returned ${JSON.stringify(chosen)}; it must return an entry of turn.legal`);
  }
  const message = { type: 'move', turn, action: { type: action.type, cards: action.cards } };
  return note ? { ...message, note: cut(String(note), 1024) } : message;
}

// A longer note could make the line too long, which would forfeit the game.
function cut(text, size) {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(size));
  return text.slice(0, read);
}

function fault({ code, message, applied, strikes, strike_limit: limit }) {
  let text = `${code}: ${message}`;
  if (applied) text += `; the arena played ${show(applied)}`;
  if (limit) text += `; strike ${strikes} of ${limit}`;
  return text;
}

function logLine(game, turn, text) {
  process.stderr.write(`${game} turn ${turn}: ${text}\n`);
}
