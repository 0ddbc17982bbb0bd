import { writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { runs } from "@agentprint/testing/property-runs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readChunks } from "../../src/files/read-input.ts";
import { Workspace } from "../support/workspace.ts";

const MOST_BYTES = 200_000;

test("a file is read whole, whatever its size was taken to be", async () => {
  using space = new Workspace();
  const path = space.path("file");
  const bytes = Buffer.from(Uint8Array.from({ length: MOST_BYTES }, (_, index) => index % 251));
  // Includes sizes around those of buffers.
  const size = fc.oneof(fc.nat(MOST_BYTES), fc.constantFrom(0, 2047, 2048, 2049, 65_535, 65_536, 65_537));
  await fc.assert(
    fc.asyncProperty(size, fc.option(size, { nil: undefined }), async (length, expected) => {
      writeFileSync(path, bytes.subarray(0, length));
      await using file = await open(path);
      const pieces: Uint8Array[] = [];
      for await (const piece of readChunks(file, expected)) pieces.push(piece);
      expect(Buffer.concat(pieces).equals(bytes.subarray(0, length))).toBe(true);
    }),
    { numRuns: runs(100) },
  );
});
