"""Plays, and in its first turns forks twice, keeps files and sockets open and fills its disk. It ends without a word some day."""
import json
import os
import random
import socket
import sys

MARK = open("mark").read().strip()
kept = []


def daemon(silent):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            if silent:
                os.closerange(0, 256)
            os.execve("/bin/sleep", ["sleep", "1000"], {})
        os._exit(0)


def misbehave():
    daemon(silent=True)
    daemon(silent=False)  # it keeps our pipes open
    while len(kept) < 200:
        kept.append(open("/dev/null"))
        kept.extend(map(os.fdopen, os.pipe(), "rw"))
    kept.append(socket.socketpair())
    try:
        with open(f"/tmp/{MARK}.py", "wb", buffering=0) as file:
            while True:
                file.write(bytes(1 << 20))
    except OSError:
        return "full"


turns = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type":"ready"}', flush=True)
    elif message["type"] == "turn":
        turns += 1
        note = misbehave() if turns <= 3 else ""
        if random.random() < 0.1:
            os._exit(4)
        move = {"type": "move", "turn": message["turn"], "action": 0, "note": f"python {note}"}
        print(json.dumps(move), flush=True)
