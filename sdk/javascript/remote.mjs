// Lets a bot play for an arena elsewhere, from its own program: see README.md.
// It needs @nats-io/transport-node, beside fivethreefive.mjs. The types are in remote.d.mts.

import { X509Certificate, createHash, randomUUID } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, errors, headers, nkeyAuthenticator, wsconnect } from '@nats-io/transport-node';
import { conversation, parse } from './fivethreefive.mjs';

const PATIENCE_MS = 30_000; // with a game of which nothing is heard, since its server may be gone
const RETRY_MS = 250;

/**
 * Plays for the arena at the server until the signal is aborted, which gives up all games. Each seat of each game gets a bot from
 * newBot, as run of fivethreefive.mjs takes it. A lost connection is made again. It throws when the arena does not want the bot:
 * when the token is wrong, was revoked, or is shown by another connection. A bot that throws loses its game, and no other.
 */
export async function run(newBot, { server, name, creds, ca, version, slots = 8, signal } = {}) {
  if (!server || !name || !(slots >= 1)) throw new TypeError('run needs a server, a name and at least one slot');
  checkAddress(server);
  const host = new Host({ newBot, name, version, slots });
  const authenticator = host.counting(creds && nkeyAuthenticator(await seed(creds)));
  const nc = await dial(server, { name: `bot ${name}`, authenticator, tls: await encryption(server, ca) }, signal);
  if (!nc) return;
  const welcome = () => console.error(`Connected to ${shown(server)} as ${name}, for up to ${slots} games at once.`);
  const told = tell(nc, server);
  const closed = nc.closed().then((error) => {
    if (error) throw refusal(server, error);
  });
  try {
    await Promise.race([host.serve(nc, welcome), closed, aborted(signal)]);
  } finally {
    await nc.close();
    host.close();
    await Promise.allSettled([closed, told]);
  }
}

/** The seats of a bot. Each is reached by the subject of its own. */
class Host {
  #options;
  #instance = randomUUID();
  #connection = -1;
  #places = new Map();

  constructor(options) {
    this.#options = options;
  }

  /** Counts the connections, each of which shows the key once. */
  counting(authenticator) {
    return (nonce) => {
      this.#connection++;
      return authenticator ? authenticator(nonce) : {};
    };
  }

  /** Ends with an error when the arena does not want the bot. Calls welcome when it has let the bot subscribe. */
  serve(nc, welcome) {
    const { name } = this.#options;
    return new Promise((_, reject) => {
      let denied = false;
      nc.subscribe(`arena.seat.${token(name)}.>`, {
        callback: (error, msg) => {
          if (error) {
            denied = true;
            reject(failure(`that token is not one of the bot ${name}`));
            return;
          }
          const tokens = msg.subject.split('.');
          if (tokens.length === 5) this.#route(msg);
          else if (tokens[3] === 'presence') this.#present(msg);
          else if (tokens[3] === 'replaced') reject(failure(`the arena ends this connection: ${printable(msg.string())}`));
        },
      });
      nc.flush().then(() => denied || welcome(), () => {}); // a connection that is lost shows elsewhere
    });
  }

  close() {
    for (const place of this.#places.values()) place.end();
  }

  #present(msg) {
    const { name, version, slots } = this.#options;
    const bot = version ? `${name}@${version}` : name;
    const presence = { instance: this.#instance, connection: this.#connection, bot, slots, playing: this.#places.size };
    respond(msg, JSON.stringify(presence));
  }

  #route(msg) {
    let place = this.#places.get(msg.subject);
    if (!place) {
      if (!msg.reply) return; // about a game that is over here
      if (turnOf(msg)) {
        reply(msg, { fault: 'lost' });
        return;
      }
      if (this.#places.size >= this.#options.slots) {
        reply(msg, { fault: 'busy', report: { detail: `all its ${this.#options.slots} slots are taken` } });
        return;
      }
      place = new Place(this.#options, () => this.#places.delete(msg.subject));
      this.#places.set(msg.subject, place);
    }
    place.take(msg);
  }
}

/** A seat of a game. It takes one message after the other. */
class Place {
  #answer;
  #drop;
  #started = false;
  #turn = 0; // of the last answer; 0 is hello's
  #last = null;
  #crash = null;
  #waiting = 0;
  #queue = Promise.resolve();
  #over = false;
  #idle;

  constructor({ newBot, name, version }, drop) {
    this.#drop = drop;
    this.#attempt(() => {
      this.#answer = conversation(newBot(), { name, version });
    });
  }

  take(msg) {
    clearTimeout(this.#idle);
    this.#waiting++;
    this.#queue = this.#queue.then(async () => {
      await this.#handle(msg);
      if (--this.#waiting === 0 && !this.#over) this.#idle = setTimeout(() => this.end(), PATIENCE_MS);
    });
  }

  /** What is unanswered, or comes, is not known here any more. */
  end() {
    clearTimeout(this.#idle);
    this.#over = true;
    this.#drop();
  }

  async #handle(msg) {
    if (!msg.reply) {
      await this.#tell(msg);
      return;
    }
    const turn = Number(turnOf(msg));
    const isHello = turnOf(msg) === '';
    if (!this.#over && (isHello ? this.#last === null : this.#follows(turn))) {
      this.#last = await this.#ask(msg, isHello);
      this.#turn = turn;
    } else if (isHello ? this.#started : this.#last === null || turn !== this.#turn) {
      this.end();
    } // else it comes again, since the answer did not arrive
    reply(msg, this.#over ? { fault: 'lost' } : this.#last);
  }

  // A turn comes next, or something before it was lost. A game that is begun anew may begin with any turn.
  #follows(turn) {
    return this.#started && turn > 0 && (this.#turn === 0 || turn === this.#turn + 1);
  }

  async #tell(msg) {
    if (this.#over || msg.data.length === 0) return; // which says that the game goes on
    const message = legible(msg);
    if (message.type === 'quit') {
      this.end();
      return;
    }
    this.#started ||= message.type === 'start';
    await this.#attempt(() => this.#answer(message));
  }

  async #ask(msg, isHello) {
    const begin = performance.now();
    const answer = await this.#attempt(() => this.#answer(parse(msg.string())));
    const elapsed = performance.now() - begin;
    if (!this.#crash) return { line: JSON.stringify(answer), elapsed };
    const detail = isHello ? `before ready: ${this.#crash.detail}` : this.#crash.detail;
    return { fault: isHello ? 'start' : 'crash', elapsed, report: { ...this.#crash, detail } };
  }

  // What a bot throws ends it in this game. The trace is for its author, and goes to the arena as well.
  async #attempt(does) {
    if (this.#crash) return undefined;
    try {
      return await does();
    } catch (error) {
      const trace = error instanceof Error ? error.stack : String(error);
      console.error(trace);
      this.#crash = { detail: `it has thrown ${firstLines(trace, 1)}`, stderr: firstLines(trace, 20) };
      return undefined;
    }
  }
}

// What cannot be read is ignored, as what a later version sends.
function legible(msg) {
  try {
    return parse(msg.string());
  } catch {
    return {};
  }
}

const turnOf = (msg) => msg.headers?.get('Arena-Turn') ?? '';

const firstLines = (text, n) => text.split('\n', n).join('\n');

function reply(msg, { line, fault, report = {}, elapsed = 0 }) {
  const head = headers();
  for (const name of ['Arena-Turn', 'Arena-Attempt']) {
    const value = msg.headers?.get(name);
    if (value) head.set(name, value);
  }
  head.set('Arena-Elapsed', String(Math.round(elapsed * 1e6)));
  if (fault) head.set('Arena-Fault', fault);
  respond(msg, fault ? JSON.stringify(report) : line, head);
}

// A connection that is lost shows at the arena, which asks again.
function respond(msg, text, head) {
  try {
    msg.respond(text, { headers: head });
  } catch (error) {
    if (!(error instanceof errors.ClosedConnectionError)) throw error;
  }
}

/** Connects, now or as soon as the server is there; undefined when the signal comes first. */
async function dial(server, options, signal) {
  const isWeb = /^wss?:/.test(server);
  if (isWeb && !globalThis.WebSocket) throw failure(`${shown(server)}: WebSocket needs Node.js 22; use nats:// or tls://`);
  const how = isWeb ? wsconnect : connect;
  const always = { servers: server, maxReconnectAttempts: -1, reconnectTimeWait: RETRY_MS, pingInterval: 5000 };
  for (let told = ''; !signal?.aborted;) {
    try {
      return await how({ ...always, ...options });
    } catch (error) {
      if (hopeless(error)) throw refusal(server, error);
      if (error.message !== told) console.error(`Cannot connect to ${shown(server)}: ${printable(error.message)}; trying again.`);
      told = error.message;
      await sleep(RETRY_MS);
    }
  }
  return undefined;
}

const unwanted = (error) => error instanceof errors.AuthorizationError || error instanceof errors.UserAuthenticationExpiredError;

// Another attempt would fail as well: it is another kind of server, or one that nobody vouches for.
const hopeless = (error) => unwanted(error) || /\btls\b|cert|self.signed/i.test(`${error.code} ${error.message}`);

function refusal(server, error) {
  if (!unwanted(error)) return failure(`connect to ${shown(server)}: ${printable(error.message)}`);
  return failure(`${shown(server)} does not let us in (${printable(error.message)}); ask its organiser for a token`);
}

// The reason is in no line of the program, so no trace hides it where nobody catches it.
function failure(message) {
  const error = new Error(message);
  error.stack = `Error: ${message}`;
  return error;
}

function checkAddress(server) {
  const scheme = /^\s*([^:/]*):\/\//.exec(server)?.[1];
  if (scheme !== undefined && !/^(nats|tls|wss?)$/.test(scheme)) {
    throw failure(`an arena is not reached by ${printable(scheme)}://; the address begins with nats://, tls://, ws:// or wss://`);
  }
}

async function tell(nc, server) {
  for await (const { type } of nc.status()) {
    if (type === 'disconnect' && !nc.isClosed()) console.error(`The connection to ${shown(server)} is lost; trying again.`);
    if (type === 'reconnect') console.error(`Connected to ${shown(server)} again.`);
  }
}

// Without tls the client takes whatever the server offers.
async function encryption(server, ca) {
  if (!ca) return server.startsWith('tls:') ? {} : undefined;
  const text = await read('certificate', ca);
  try {
    new X509Certificate(text);
  } catch {
    throw failure(`certificate ${ca}: there is no certificate in it; take the file that the arena's organiser gives`);
  }
  return { ca: text };
}

async function seed(file) {
  const found = /\bSU[A-Z2-7]{56}\b/.exec(await read('credentials', file));
  if (!found) throw failure(`credentials ${file}: that is no token; take the file that arena token create has written`);
  if (process.platform !== 'win32' && (await stat(file)).mode & 0o077) {
    throw failure(`credentials ${file}: others on this machine can read it; do: chmod 600 ${file}`);
  }
  return new TextEncoder().encode(found[0]);
}

async function read(what, file) {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw failure(`${what} ${file}: ${error.message}`);
  }
}

// A name that could mean something to NATS is replaced by a digest of it.
function token(name) {
  if (/^[a-z0-9-]{1,64}$/.test(name)) return name;
  return `_${createHash('sha256').update(name.trim()).digest('hex').slice(0, 24)}`;
}

const aborted = (signal) => new Promise((resolve) => {
  if (signal?.aborted) resolve();
  signal?.addEventListener('abort', () => resolve(), { once: true });
});

// The address without a password.
const shown = (server) => server.replace(/\/\/[^@/]*@/, '//');

const printable = (text) => text.slice(0, 200).replace(/[\x00-\x1f\x7f-\x9f]/g, '?');
