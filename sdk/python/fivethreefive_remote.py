"""Lets a bot play for an arena elsewhere, from its own program. It needs nats-py[nkeys], beside fivethreefive.py.

See https://github.com/fivethreefive/fivethreefive/tree/main/sdk/python#readme
"""

from __future__ import annotations

import asyncio
import hashlib
import importlib.util
import json
import os
import queue
import re
import ssl
import sys
import threading
import time
import traceback
import uuid

import nats
import nats.errors

from fivethreefive import Conversation, read

PATIENCE = 30.0  # seconds, with a game of which nothing is heard, since its server may be gone


def run(new_bot, **options) -> None:
    """Plays until Ctrl-C, or until there is no hope to play, which ends the program with the reason. See play."""
    try:
        asyncio.run(play(new_bot, **options))
    except (OSError, ValueError) as error:
        sys.exit(str(error))


async def play(new_bot, *, server: str, name: str, creds: str = "", ca: str = "", version: str = "", slots: int = 8) -> None:
    """Plays until it is cancelled, which gives up all games, or the arena does not want the bot, which raises ConnectionError.
    A file or an address that is of no use raises ValueError.

    Each seat of each game gets a bot of its own from new_bot, as run of fivethreefive takes it, in a thread of its own. The name is
    that by which the arena knows the bot, creds the file of its token, ca the file of the server's certificate where the system
    does not know it, and slots the number of games at once. A lost connection is made again. A bot that raises something loses its
    game, and no other.
    """
    if not server or not name or slots < 1:
        raise ValueError("play needs a server, a name and at least one slot")
    _check_address(server)
    host = _Host(new_bot, name, version, slots)
    options = {"nkeys_seed_str": _seed(creds)} if creds else {}
    if ca or server.startswith(("tls:", "wss:")):
        options["tls"] = _trust(ca)
    try:
        await host.play(server, options)
    finally:
        await host.close()


class _Host:
    """The seats of a bot, by the subject of each."""

    def __init__(self, new_bot, name: str, version: str, slots: int) -> None:
        self.new_bot, self.name, self.version, self.slots = new_bot, name, version, slots
        self.instance, self.places, self.client = uuid.uuid4().hex, {}, nats.NATS()
        self.ended: asyncio.Future = asyncio.get_running_loop().create_future()

    async def play(self, server: str, options: dict) -> None:
        shown = re.sub("//[^@/]*@", "//", server)  # without a password
        told = ""

        async def failed(error: Exception) -> None:
            nonlocal told
            text = _printable(str(error) or type(error).__name__)
            if "authorization violation" in text.lower() or "authentication" in text.lower():
                self._end(f"{shown} does not let us in ({text}); ask its organiser for a token")
            elif "permissions violation for subscription" in text.lower():
                self._end(f"{shown}: that token is not one of the bot {self.name}")
            elif isinstance(error, ssl.SSLError):
                self._end(f"connect to {shown}: {text}")
            elif not self.client.is_connected and text != told:
                told = text
                _say(f"Cannot connect to {shown}: {text}; trying again.")

        async def lost() -> None:
            if not self.ended.done():
                _say(f"The connection to {shown} is lost; trying again.")

        async def again() -> None:
            nonlocal told
            told = ""
            _say(f"Connected to {shown} again.")

        async def connect() -> None:
            await self.client.connect(
                server, name=f"bot {self.name}", error_cb=failed, disconnected_cb=lost, reconnected_cb=again,
                reconnect_time_wait=0.25, max_reconnect_attempts=-1, ping_interval=5, **options,
            )
            await self.client.subscribe(f"arena.seat.{_token(self.name)}.>", cb=self._dispatch)
            await self.client.flush()  # a refusal comes before its answer
            if not self.ended.done():
                _say(f"Connected to {shown} as {self.name}, for up to {self.slots} games at once.")

        connecting = asyncio.ensure_future(connect())
        try:
            await asyncio.wait((connecting, self.ended), return_when=asyncio.FIRST_COMPLETED)
            if connecting.done():
                connecting.result()
            await self.ended
        finally:
            connecting.cancel()

    async def close(self) -> None:
        await self.client.close()
        for place in list(self.places.values()):
            place.task.cancel()

    def _end(self, why: str) -> None:
        if not self.ended.done():
            self.ended.set_exception(ConnectionError(why))

    async def _dispatch(self, msg) -> None:
        tokens = msg.subject.split(".")
        if len(tokens) == 5:
            await self._route(msg)
        elif tokens[3] == "presence":
            bot = f"{self.name}@{self.version}" if self.version else self.name
            presence = {"instance": self.instance, "connection": self.client.stats["reconnects"], "bot": bot}
            await self.respond(msg, json.dumps({**presence, "slots": self.slots, "playing": len(self.places)}))
        elif tokens[3] == "replaced":
            self._end(f"the arena ends this connection: {_printable(msg.data.decode(errors='replace'))}")

    async def _route(self, msg) -> None:
        place = self.places.get(msg.subject)
        if place is None:
            if not msg.reply:
                return  # about a game that is over here
            if _header(msg, "Arena-Turn"):
                await self.reply(msg, _LOST)
                return
            if len(self.places) >= self.slots:
                await self.reply(msg, {"fault": "busy", "report": {"detail": f"all its {self.slots} slots are taken"}})
                return
            place = _Place(self, msg.subject)
            self.places[msg.subject] = place
        place.inbox.put_nowait(msg)

    async def reply(self, msg, answer: dict) -> None:
        headers = {name: value for name in ("Arena-Turn", "Arena-Attempt") if (value := _header(msg, name))}
        headers["Arena-Elapsed"] = str(answer.get("elapsed", 0))
        text = answer.get("line", "")
        if "fault" in answer:
            headers["Arena-Fault"] = answer["fault"]
            text = json.dumps(answer.get("report", {}))
        await self.respond(msg, text, headers)

    async def respond(self, msg, text: str, headers: dict | None = None) -> None:
        try:
            await self.client.publish(msg.reply, text.encode(), headers=headers)
        except nats.errors.Error:
            pass  # a connection that is lost shows at the arena, which asks again


class _Place:
    """A seat of a game. It takes one message after the other."""

    def __init__(self, host: _Host, subject: str) -> None:
        self.host, self.subject, self.inbox = host, subject, asyncio.Queue()
        self.player = _Player(lambda: Conversation(host.new_bot(), host.name, host.version))
        self.started, self.turn, self.last = False, 0, None  # turn and answer of the last question; turn 0 is hello's
        self.task = asyncio.ensure_future(self._run())

    async def _run(self) -> None:
        left = None
        try:
            while left is None:
                msg = await asyncio.wait_for(self.inbox.get(), PATIENCE)
                if not await self._take(msg):
                    left = msg
        except asyncio.TimeoutError:
            pass
        finally:
            del self.host.places[self.subject]
            self.player.quit()
        while left is not None:  # which is not known here any more
            if left.reply:
                await self.host.reply(left, _LOST)
            left = None if self.inbox.empty() else self.inbox.get_nowait()

    async def _take(self, msg) -> bool:
        """Whether the seat goes on."""
        if not msg.reply:
            return await self._tell(msg)
        text = _header(msg, "Arena-Turn")
        is_hello, turn = text == "", int(text) if text.isdecimal() else 0
        if (is_hello and self.last is None) or self._follows(turn):
            self.last = await self._ask(msg, turn)
            self.turn = turn
        elif (is_hello and self.started) or (not is_hello and (self.last is None or turn != self.turn)):
            return False
        # else it comes again, since the answer did not arrive
        await self.host.reply(msg, self.last)
        return True

    def _follows(self, turn: int) -> bool:
        """A turn comes next, or something before it was lost. A game that is begun anew may begin with any turn."""
        return self.started and turn > 0 and self.turn in (0, turn - 1)

    async def _tell(self, msg) -> bool:
        if not msg.data:  # which says that the game goes on
            return True
        try:
            kind = read(msg.data).type
        except ValueError:  # which is ignored, as what a later version sends
            return True
        if kind == "quit":
            return False
        self.started = self.started or kind == "start"
        await self.player.answer(msg.data)
        return True

    async def _ask(self, msg, turn: int) -> dict:
        begin = time.monotonic_ns()
        line = await self.player.answer(msg.data)
        elapsed, crash = time.monotonic_ns() - begin, self.player.crash
        if crash is None:
            return {"line": line, "elapsed": elapsed}
        if turn == 0:
            return {"fault": "start", "elapsed": elapsed, "report": {**crash, "detail": "before ready: " + crash["detail"]}}
        return {"fault": "crash", "elapsed": elapsed, "report": crash}


class _Player:
    """A bot in its thread, so that one that thinks keeps nobody else waiting."""

    def __init__(self, new_conversation) -> None:
        self.crash, self._todo, self._loop = None, queue.SimpleQueue(), asyncio.get_running_loop()
        threading.Thread(target=self._work, args=(new_conversation,), daemon=True).start()

    async def answer(self, line: bytes) -> str | None:
        """The line of the bot; None where it has none, or has crashed."""
        done = self._loop.create_future()
        self._todo.put((line, done))
        return await done

    def quit(self) -> None:
        """Lets the thread end after what it does."""
        self._todo.put((None, None))

    def _work(self, new_conversation) -> None:
        conversation = self._try(new_conversation)
        while True:
            line, done = self._todo.get()
            if done is None:
                return
            answer = self._try(lambda line=line: conversation.answer(read(line))) if self.crash is None else None
            try:
                self._loop.call_soon_threadsafe(lambda d, to: d.done() or d.set_result(to), done, answer)
            except RuntimeError:  # the program has ended meanwhile
                return

    def _try(self, does):
        """What the bot raises ends it in this game. The trace is for its author, and goes to the arena as well."""
        try:
            return does()
        except BaseException as error:
            trace = traceback.format_exc()
            _say(trace)
            detail = f"it has raised {type(error).__name__}: {error}"
            self.crash = {"detail": detail, "stderr": "\n".join(trace.splitlines()[-20:])}
            return None


_LOST = {"fault": "lost"}


def _header(msg, name: str) -> str:
    return (msg.headers or {}).get(name, "")


def _check_address(server: str) -> None:
    scheme, separator, _ = server.strip().partition("://")
    if separator and scheme not in ("nats", "tls", "ws", "wss"):
        raise ValueError(f"an arena is not reached by {_printable(scheme)}://; the address begins with nats://, tls://, ws:// or wss://")
    if scheme in ("ws", "wss") and importlib.util.find_spec("aiohttp") is None:
        raise ValueError("WebSocket needs aiohttp: pip install aiohttp, or use nats:// or tls://")


def _trust(ca: str) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=ca or None)
    except OSError as error:
        raise ValueError(f"certificate {ca}: {error}; take the file that the arena's organiser gives") from error


def _seed(file: str) -> str:
    try:
        with open(file, encoding="utf-8", errors="replace") as text:
            found = re.search(r"\bSU[A-Z2-7]{56}\b", text.read())
            mode = os.fstat(text.fileno()).st_mode
    except OSError as error:
        raise ValueError(f"credentials: {error}") from error
    if not found:
        raise ValueError(f"credentials {file}: that is no token; take the file that arena token create has written")
    if os.name == "posix" and mode & 0o077:
        raise ValueError(f"credentials {file}: others on this machine can read it; do: chmod 600 {file}")
    return found[0]


def _token(name: str) -> str:
    """A name that could mean something to NATS is replaced by a digest of it."""
    if re.fullmatch(r"[a-z0-9-]{1,64}", name):
        return name
    return "_" + hashlib.sha256(name.strip().encode()).hexdigest()[:24]


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in text[:200])


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
