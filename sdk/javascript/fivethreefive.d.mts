// Types of fivethreefive.mjs. The fields are those of the bot protocol, version 1.

/** 1-5, 7-9 or 11-15. */
export type Card = number;
export type Kind = 'lead' | 'overwrite' | 'add' | 'pass';

/** A kind with the cards played, in ascending order. */
export interface Action {
  readonly type: Kind;
  readonly cards: readonly Card[];
}

/** An action with a note of at most 1 KiB that goes into the replay. */
export interface Move {
  readonly action: Action;
  readonly note?: string;
}

export interface Rules {
  readonly preset: string;
  readonly players: number;
  readonly copies: number;
  readonly hand_size: number;
  readonly target: number;
  readonly permanent_pass: boolean;
  readonly greater_overwrite: boolean;
}

export interface Start {
  readonly game: string;
  readonly seat: number;
  readonly players: number;
  readonly names: readonly string[];
  readonly rules: Rules;
  readonly clock: { readonly move_ms: number; readonly bank_ms: number; readonly increment_ms: number };
  /** For Random, so that a run can be repeated. */
  readonly seed: number;
}

export type Event =
  | { type: 'deal'; round: number; half: number; leader: number; counts: number[]; hand?: Card[] }
  | { type: 'play'; seat: number; action: Action; meld: Card[]; by?: 'arena'; fault?: string }
  | { type: 'clear'; seat: number; reason: 'passes' | 'set' | 'run' | 'eight' }
  | { type: 'score'; round: number; half: number; out: number; hands: Card[][]; points: number[]; scores: number[] };

/** What the seat may know. legal is never empty, and whatever is in it may be returned. */
export interface Turn {
  readonly game: string;
  readonly turn: number;
  readonly seat: number;
  readonly round: number;
  readonly half: number;
  readonly hand: readonly Card[];
  readonly meld: readonly Card[];
  /** Who played last, or -1 on a lead. */
  readonly meld_seat: number;
  readonly counts: readonly number[];
  readonly scores: readonly number[];
  readonly passed: readonly number[];
  readonly undealt: number;
  /** What happened since the last message that had events. */
  readonly events: readonly Event[];
  readonly legal: readonly Action[];
  readonly clock: { readonly move_ms: number; readonly bank_ms: number; readonly last_ms?: number };
  /** Milliseconds until the turn is lost, the bank included; not below 0. */
  timeLeftMs(): number;
  /** Writes a line to stderr that names the game and the turn. */
  log(text: unknown): void;
}

export interface End {
  readonly game: string;
  readonly reason: string;
  readonly scores: readonly number[];
  readonly ranks: readonly number[];
  readonly events: readonly Event[];
}

export type Act = (turn: Turn) => Action | Move | Promise<Action | Move>;

export interface Bot {
  start?(start: Start): void | Promise<void>;
  act(turn: Turn): Action | Move | Promise<Action | Move>;
  end?(end: End): void | Promise<void>;
}

/** Plays on stdin and stdout until the arena says quit or closes stdin. Prints go to stderr from then on. */
export function run(bot: Bot | Act, info?: { name?: string; version?: string }): Promise<void>;

/** A message of the protocol. */
export interface Message {
  readonly type: string;
}

/** A message from its line, without the events of a later version. */
export function parse(line: string): Message;
/** What a bot says to the messages of the arena, one after the other: a function that gives the reply, or undefined. */
export function conversation(
  bot: Bot | Act,
  info?: { name?: string; version?: string },
): (message: Message) => Promise<Message | undefined>;

export const RANKS: readonly Card[];

export interface Meld {
  readonly kind: 'single' | 'set' | 'run';
  readonly low: Card;
  readonly size: number;
}

/** The meld that the cards form, in whatever order, or null. */
export function meld(cards: readonly Card[]): Meld | null;
/** Higher beats lower among melds of one kind and size: the rank, and in a run 16 - its lowest. 0 for no meld. */
export function strength(cards: readonly Card[]): number;
/** Whether a meld may overwrite another by equal kind and size and greater strength. */
export function beats(cards: readonly Card[], other: readonly Card[]): boolean;
/** Penalty points. */
export function points(cards: readonly Card[]): number;
/** An action as text: pass, or add [2 3]. */
export function show(action: Action): string;

/** Numbers that are the same in all SDKs for the same seed. */
export class Random {
  constructor(seed: number);
  /** 32 random bits. */
  next(): number;
  /** 0 to n-1, each as likely as the others; n is at most 2 ** 32. */
  below(n: number): number;
}
