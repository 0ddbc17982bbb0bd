// Lets eight processes append 500 thoughts each to one task, and checks on both databases that there is one chain, with
// nothing lost and no fork. Usage: load.ts [file|postgres, to try only this database]
import assert from "node:assert/strict";
import { join } from "node:path";
import { checkChain, startWriter, step, withDatabases } from "./harness.ts";

const WRITERS = 8;
const APPENDS = 500;
const [only = ""] = process.argv.slice(2);

await withDatabases(async ({ directory, server }) => {
  for (const url of [`file:${join(directory, "load.db")}`, await server.createDatabase("load")]) {
    if (!url.startsWith(only)) continue;
    await step(`${WRITERS} writers, ${url.split(":")[0]}`, async () => {
      const writers = Array.from({ length: WRITERS }, (_, index) =>
        startWriter(url, "load", `writer${index}`, APPENDS),
      );
      assert.deepEqual(await Promise.all(writers.map(({ exit }) => exit)), Array(WRITERS).fill(0));
      const acknowledged = writers.flatMap((writer) => writer.acknowledged);
      assert.equal(acknowledged.length, WRITERS * APPENDS);
      assert.equal(await checkChain(url, "load", acknowledged), WRITERS * APPENDS);
      return `${WRITERS * APPENDS} records in one chain`;
    });
  }
});
