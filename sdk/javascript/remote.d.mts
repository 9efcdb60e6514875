// Types of remote.mjs.

import type { Act, Bot } from './fivethreefive.mjs';

export interface Options {
  /** Where the arena is, as in tls://arena.example:4222; also nats://, and with Node.js 22 ws:// and wss://. */
  server: string;
  /** What the arena knows the bot as, without a version. */
  name: string;
  /** File of the token. */
  creds?: string;
  /** File with the certificate of the server, instead of those of the system. Not for WebSocket: see NODE_EXTRA_CA_CERTS. */
  ca?: string;
  version?: string;
  /** Games at once, 8 by default. Each seat has a bot of its own. */
  slots?: number;
  /** Gives up all games and lets run return. */
  signal?: AbortSignal;
}

/** Plays until the signal is aborted. It throws when the arena does not want the bot, or no longer. */
export function run(newBot: () => Bot | Act, options: Options): Promise<void>;
