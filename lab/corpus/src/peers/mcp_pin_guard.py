"""Asks the guard of mcp-pin about offers of a server, with JSON on standard input and output."""

import json
import sys

from mcp_pin.guard import Guard, _tool_from_wire
from mcp_pin.lockfile import Lock
from mcp_pin.model import PromptSpec, ResourceSpec, ServerSpec

SERVER = ServerSpec(name="server", source="corpus", client="corpus", transport="stdio", command="server")


def lock_of(offer):
    """Returns the lock that `approve --probe` would write for an offer."""
    lock = Lock()
    ident = SERVER.identity()
    lock.record(
        [SERVER],
        [_tool_from_wire(ident, tool) for tool in offer["tools"]],
        [],
        prompts=[PromptSpec.from_wire(ident, prompt) for prompt in offer["prompts"]],
        resources=[ResourceSpec.from_wire(ident, resource) for resource in offer["resources"]],
        instructions={ident: offer["instructions"]} if "instructions" in offer else {},
        probe_status={ident: "ok"},
    )
    return lock


def compare(before, after, drift):
    guard = Guard(SERVER.identity(), lock_of(before), drift=drift)
    lines = []
    guard.log = lines.append
    reported, stopped = {}, {}
    for kind, items, screen in (
        ("tool", after["tools"], guard.filter_tools),
        ("prompt", after["prompts"], guard.filter_prompts),
        ("resource", after["resources"], guard.filter_resources),
    ):
        for item in items:
            name = str(item.get("uri" if kind == "resource" else "name"))
            blocked, accepted = len(guard.stats.tools_blocked), len(guard.stats.tools_drift_accepted)
            lines.clear()
            screen([item])
            saw = json.dumps(item, sort_keys=True) if kind != "tool" else _tool_from_wire("", item).fingerprint()
            if len(guard.stats.tools_blocked) > blocked:
                reason = " ".join(lines)
                reported[f"{kind} {name}"] = saw
                stopped[f"{kind} {name}"] = reason if drift == "graded" and "introduced" in reason else saw
            elif len(guard.stats.tools_drift_accepted) > accepted:
                reported[f"{kind} {name}"] = saw
    text = after.get("instructions", "")
    guard.check_instructions(text)
    if guard.stats.instructions_replaced:
        reported["instructions"] = stopped["instructions"] = text
    return {"reported": reported, "stopped": stopped}


def main():
    asked = json.load(sys.stdin)
    json.dump([compare(each["before"], each["after"], asked["drift"]) for each in asked["comparisons"]], sys.stdout)


main()
