import { runs } from "@agentprint/testing/property-runs";
import { ReadBuffer } from "@modelcontextprotocol/sdk/shared/stdio.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { letThrough, line } from "./support/lines.ts";

/** Returns the messages that the official SDK reads from one line, with `"refused"` for a line that it refuses. */
function readBySdk(text: string): unknown[] {
  const buffer = new ReadBuffer();
  buffer.append(Buffer.from(`${text}\n`));
  const messages: unknown[] = [];
  for (;;) {
    try {
      const message = buffer.readMessage();
      if (message === null) return messages;
      messages.push(message);
    } catch {
      messages.push("refused");
    }
  }
}

test("the official SDK reads what the guard saw, or refuses it, or the guard does not forward it", () => {
  const seen = { forwarded: 0, refused: 0 };
  fc.assert(
    fc.property(line, fc.boolean(), (text, isServer) => {
      const written = letThrough(text, isServer);
      seen[written.length > 0 ? "forwarded" : "refused"]++;
      for (const { bytes, value } of written) {
        const read = readBySdk(new TextDecoder().decode(bytes));
        expect(read).toHaveLength(1);
        if (read[0] !== "refused") expect(read).toEqual([value]);
      }
    }),
    { numRuns: runs(300) },
  );
  expect(Math.min(seen.forwarded, seen.refused)).toBeGreaterThan(runs(6));
});
