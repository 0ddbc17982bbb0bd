import { createReadStream, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { canRun, runProgram } from "@agentprint/testing/programs";
import { folder, HAS_PYTHON, python, startPython } from "@agentprint/testing/vectors/ports";
import { parseThoughtLines } from "@agentprint/trail/chain";
import { describe, expect, test } from "vitest";
import { createKeyFolder, readEvents } from "../../src/index.ts";
import { chainOf, collect, entriesOf, kindsOf, record, SECRET, temporaryFolder } from "../support.ts";
import { killAfter, lostFrom, recordAndKill } from "./record-and-kill.ts";

const CLI = fileURLToPath(new URL("../../../../apps/cli/src/main.ts", import.meta.url));
const WRITER = join(folder("python"), "tests", "write_until_killed.py");
const HOSTILE = '\ud800\u0000\u001b[2J\u202e😀\u2028"\\</script>{"agentprint":"event/1","event":{';

const OPEN = `
import json, sys
from agentprint.recorder import KeyFolder, Recorder, chain_problems, read_chain, read_events
def start(**options):
    return Recorder(sys.argv[1], key=b"\\x07" * 32, agent_id="planner", **options)
`;
const WRITE_ALL = `${OPEN}
with start(session_id="s1") as recorder:
    hostile = json.loads(sys.argv[2])
    recorder.record({"kind": "call", "call": hostile, "tool": hostile, "attributes": {hostile: hostile, "share": 1e21}})
    recorder.think("plan", hostile)
    recorder.record({"kind": "result", "call": hostile, "outcome": "error", "code": -(2**53 - 1)})
`;
const TELL_GAPS = `${OPEN}
with start() as recorder:
    print(json.dumps([[left.session, left.cut] for left in recorder.unended]))
`;
const WRITE_ENCRYPTED = `${OPEN}
with start(session_id="s1", encrypt=KeyFolder(sys.argv[2])) as recorder:
    recorder.record({"kind": "call", "call": "c1", "digests": {"arguments": "0" * 64}, "attributes": {"path": "a.txt"}})
    recorder.think("plan", "Read it.")
`;
const READ_ENCRYPTED = `${OPEN}
entries = read_events(read_chain(sys.argv[1]), [b"\\x07" * 32], KeyFolder(sys.argv[2]))
print(json.dumps([entry.get("text") or entry["event"] for entry in entries if entry.get("content") == "decrypted"]))
`;
const READ = `${OPEN}
records = list(read_chain(sys.argv[1]))
entries = [(entry["is"], entry.get("event"), entry.get("why")) for entry in read_events(records, [b"\\x07" * 32])]
print(json.dumps([chain_problems(records), entries]))
`;

const HAS_CRYPTOGRAPHY = python !== undefined && canRun(python, ["-c", "import cryptography"]);

/** Returns the output of a program in Python. */
async function run(program: string, ...args: string[]): Promise<unknown> {
  const said = await text((await startPython("-c", program, ...args)).stdout);
  return said === "" ? undefined : JSON.parse(said);
}

describe.skipIf(!HAS_PYTHON)("the recorder in Python (skipped without Python 3.10)", () => {
  test("writes what this one reads and the command verifies", async () => {
    const store = temporaryFolder();
    await run(WRITE_ALL, store, JSON.stringify(HOSTILE));
    const path = join(store, "s1.jsonl");
    const entries = await entriesOf(path);
    expect(kindsOf(entries)).toEqual(["session-start", "call", "text", "result", "session-end"]);
    const stamp = { agent: "planner", session: "s1" };
    const attributes = { [HOSTILE]: HOSTILE, share: 1e21 };
    expect(entries[1]).toMatchObject({ event: { ...stamp, call: HOSTILE, tool: HOSTILE, attributes, sequence: 1 } });
    expect(entries[2]).toMatchObject({ why: "no-envelope", record: { type: "plan", content: HOSTILE } });
    expect(entries[3]).toMatchObject({ event: { ...stamp, outcome: "error", code: Number.MIN_SAFE_INTEGER } });
    const key = join(store, "key");
    writeFileSync(key, Buffer.from(SECRET).toString("hex"));
    const args = ["--conditions=@agentprint/source", CLI, "trail", "verify", path, "--event-key", key];
    expect(runProgram(process.execPath, args)).toMatchObject({ status: 0, stderr: "" });
  });

  test("reads what this one writes", async () => {
    const store = temporaryFolder();
    const recorder = await record({ store });
    recorder.record({ kind: "call", call: HOSTILE, attributes: { [HOSTILE]: 0.1 } });
    recorder.think({ type: "plan", content: HOSTILE });
    await recorder.close();
    const session = recorder.sessionId;
    const read = await run(READ, chainOf(recorder, store));
    expect(read).toEqual([
      [],
      [
        ["event", expect.objectContaining({ kind: "session-start", session }), null],
        ["event", expect.objectContaining({ kind: "call", call: HOSTILE, attributes: { [HOSTILE]: 0.1 } }), null],
        ["text", null, "no-envelope"],
        ["event", expect.objectContaining({ kind: "session-end", lost: 0 }), null],
      ],
    ]);
  });

  test("loses nothing acknowledged when it is killed, and this one reports it", async () => {
    const store = temporaryFolder();
    const { session, acknowledged } = await killAfter(await startPython(WRITER, store), 300);
    const next = await record({ store });
    expect(next.unended).toMatchObject([{ session }]);
    await next.close();
    const entries = await entriesOf(join(store, `${session}.jsonl`));
    expect(acknowledged.length).toBeGreaterThanOrEqual(299);
    expect(lostFrom(entries, acknowledged)).toEqual([]);
    expect(entries.filter(({ is }) => is !== "event")).toEqual([{ is: "not-ended", session }]);
    expect(kindsOf(await entriesOf(chainOf(next, store)))).toEqual(["session-start", "gap", "session-end"]);
  });

  test("reports a session of this one whose process was killed, and not a running one", async () => {
    const store = temporaryFolder();
    const running = await record({ store });
    const { session } = await recordAndKill(store, 50);
    expect(await run(TELL_GAPS, store)).toEqual([[session, expect.any(Number)]]);
    expect(await run(TELL_GAPS, store)).toEqual([]);
    await running.close();
    expect(kindsOf(await entriesOf(chainOf(running, store)))).toEqual(["session-start", "session-end"]);
  });

  test.skipIf(!HAS_CRYPTOGRAPHY)("encrypts what this one decrypts, and the other way round", async () => {
    const store = temporaryFolder();
    const keys = join(store, "keys");
    const contentKeys = createKeyFolder(keys);
    const call = {
      kind: "call",
      call: "c1",
      digests: { arguments: "0".repeat(64) },
      attributes: { path: "a.txt" },
    } as const;
    await run(WRITE_ENCRYPTED, store, keys);
    const records = parseThoughtLines(createReadStream(join(store, "s1.jsonl")));
    const entries = await collect(readEvents(records, { keys: [SECRET], contentKeys }));
    expect(entries[1]).toMatchObject({ content: "decrypted", event: call });
    expect(entries[2]).toMatchObject({ content: "decrypted", text: "Read it." });
    const recorder = await record({ store, encrypt: contentKeys });
    recorder.record(call);
    recorder.think({ type: "plan", content: HOSTILE });
    await recorder.close();
    const read = await run(READ_ENCRYPTED, chainOf(recorder, store), keys);
    expect(read).toEqual([
      expect.objectContaining({ kind: "session-start", attributes: { "process.pid": process.pid } }),
      expect.objectContaining(call),
      HOSTILE,
    ]);
  });
});
