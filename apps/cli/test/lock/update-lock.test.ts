import { readFileSync, symlinkSync, unlinkSync, utimesSync, writeFileSync } from "node:fs";
import { formatLock, LOCK_VERSION, type LockFile } from "@agentprint/mcp-lock/lock";
import { expect, test } from "vitest";
import { updateLock } from "../../src/lock/update-lock.ts";
import { memoryContext } from "../support/run-cli.ts";
import { Workspace } from "../support/workspace.ts";

const EMPTY: LockFile = { lockVersion: LOCK_VERSION, servers: [] };
const OTHER = `${formatLock(EMPTY)}\n`;

test.each(["agentprint.lock", "new.lock"])(
  "a writer that was suspended does not undo the other writer's changes of %s",
  async (file) => {
    using space = new Workspace();
    const context = memoryContext([], { cwd: space.folder });
    writeFileSync(space.path("agentprint.lock"), formatLock(EMPTY));
    const writing = updateLock(context, file, () => {
      // Another process takes the mutex once it is considered abandoned.
      utimesSync(space.path(`${file}.lock`), 0, 0);
      writeFileSync(space.path(file), OTHER);
      return { ...EMPTY };
    });
    await expect(writing).rejects.toMatchObject({ code: "lock-busy" });
    expect(readFileSync(space.path(file), "utf8")).toBe(OTHER);
  },
);

test("a link that is redirected between reading and writing does not make the writer change another file", async () => {
  using space = new Workspace();
  const context = memoryContext([], { cwd: space.folder });
  writeFileSync(space.path("own.lock"), formatLock(EMPTY));
  writeFileSync(space.path("victim"), "precious");
  symlinkSync("own.lock", space.path("agentprint.lock"));
  await updateLock(context, "agentprint.lock", () => {
    unlinkSync(space.path("agentprint.lock"));
    symlinkSync("victim", space.path("agentprint.lock"));
    return { ...EMPTY };
  });
  expect(readFileSync(space.path("victim"), "utf8")).toBe("precious");
});
