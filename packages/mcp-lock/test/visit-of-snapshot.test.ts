import { expect, test } from "vitest";
import {
  checkLock,
  createLock,
  lockServer,
  type ServerSnapshot,
  snapshotOfVisit,
  visitOfSnapshot,
} from "../src/index.ts";

const snapshot: ServerSnapshot = {
  launch: { type: "stdio", command: "node", args: ["server.js"], env: [] },
  clientCapabilities: { roots: {} },
  protocolVersion: "2025-06-18",
  serverInfo: { name: "files", version: "1.0.0" },
  capabilities: { tools: {}, prompts: {}, resources: {} },
  tools: [{ name: "read_file", inputSchema: { type: "object" } }],
  prompts: [{ name: "summarize" }],
  resources: [{ uri: "file:///a", name: "a" }],
  resourceTemplates: [{ uriTemplate: "file:///{path}", name: "file" }],
};

test.each([
  ["with instructions", { ...snapshot, instructions: "Read before you write." }],
  ["without instructions", snapshot],
])("snapshotOfVisit gives back the snapshot %s that visitOfSnapshot was given", (_, given) => {
  expect(snapshotOfVisit(visitOfSnapshot(given))).toEqual(given);
});

test("a visit made of a snapshot is the same as the entry of version 1 that pinned the snapshot", () => {
  const lock = { ...createLock({}), lockVersion: 1 as const, servers: [lockServer("files", snapshot)] };
  const { outcome, servers } = checkLock(lock as never, { files: visitOfSnapshot(snapshot) });
  expect(outcome).toBe("same");
  expect(servers[0]?.remarks).toEqual([{ type: "outdated-entry", lockVersion: 1 }]);
});
