"""Prints what the official library of Python reads from each line of hexadecimal bytes: a list of messages, or of "refused"."""

import io
import json
import sys

from mcp import types


def read(data: bytes) -> list:
    messages = []
    for line in io.TextIOWrapper(io.BytesIO(data + b"\n"), encoding="utf-8", errors="replace"):
        try:
            message = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
            messages.append(message.model_dump(mode="json", by_alias=True, exclude_unset=True))
        except Exception:
            messages.append("refused")
    return messages


for text in sys.stdin:
    print(json.dumps(read(bytes.fromhex(text))))
