"""A whole client of Assent: opens a chat, shows each card as text, and asks for a yes or a no."""

import json
import subprocess
import sys
from itertools import count
from pathlib import Path
from time import monotonic

NO = ["denyOnce", "keepAsking", "keepOff", "skip", "cancel"]  # They allow nothing.
OURS = {"experimental": {"assent": {}}}  # Cards come as messages of ours, and not as dialogs.


def main(agent, prompt):
    server = subprocess.Popen(
        ["assent", "serve", "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    keys = count(1)

    def send(message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        server.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        server.stdin.flush()

    def read():
        length = 0
        while line := server.stdout.readline().strip():
            name, _, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        return json.loads(server.stdout.read(length)) if length else sys.exit("The server left.")

    def take(message):
        name, params = message.get("method"), message.get("params")
        if name and "id" in message:  # The server asks what only an editor knows: we are none.
            send({"id": message["id"], "error": {"code": -32601, "message": "not served"}})
        elif name == "tool/approvalRequest":
            print(json.dumps(params["card"], indent=1))
            print("Allow this once? [y/N] ", end="", flush=True)
            began, yes = monotonic(), sys.stdin.readline().strip() == "y"
            options = {it["kind"]: it["id"] for it in params["card"]["options"]}
            chosen = next(it for it in ["allowOnce"] * yes + NO if it in options)
            answer = {it: params[it] for it in ("approvalId", "chatId", "revision", "digest")}
            answer |= {"optionId": options[chosen], "shownMs": round((monotonic() - began) * 1000)}
            send({"id": next(keys), "method": "tool/approvalResponse", "params": answer})
        elif name == "tool/approvalSettled":
            print(params["outcome"], "by", params["by"] + ":", params["because"])
        elif not name and message.get("result", {}).get("kind") != "applied":
            print("The answer was not taken:", message.get("result") or message.get("error"))

    def ask(name, params):
        key = next(keys)
        send({"id": key, "method": name, "params": params})
        while True:
            message = read()
            if message.get("id") == key and "method" not in message:
                return message["result"] if "result" in message else sys.exit(str(message))
            take(message)

    folders = [{"uri": Path.cwd().as_uri(), "name": Path.cwd().name}]
    us = {"processId": None, "rootUri": None, "workspaceFolders": folders, "capabilities": OURS}
    ask("initialize", us)
    send({"method": "initialized", "params": {}})
    ask("agent/subscribe", {"viewId": "plain", "have": None})
    chat = ask("agent/newChat", {"agentId": agent})["chatId"]
    print(ask("agent/prompt", {"chatId": chat, "text": prompt}))
    ask("shutdown", None)
    send({"method": "exit"})
    return server.wait()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
