import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CLIENT_IDS } from "@agentprint/client-configs";
import { expect, test } from "vitest";
import { DocumentedProject } from "../support/documented-project.ts";
import { OTHER_CONFIGS } from "../support/other-configs.ts";
import { toolsServer } from "../support/tools-server.ts";

test("there are at least 40, with some of every client", () => {
  expect(OTHER_CONFIGS.length).toBeGreaterThanOrEqual(40);
  expect(new Set(OTHER_CONFIGS.map(({ client }) => client))).toEqual(new Set(CLIENT_IDS));
});

test.each(OTHER_CONFIGS)(
  "$client, $path with $on: wrap, doctor, unwrap and pin",
  async ({ client, path, text, on }) => {
    using space = new DocumentedProject({ client, path, text, servers: {} });
    writeFileSync(join(space.project, "server.js"), toolsServer([{ name: "a", inputSchema: { type: "object" } }]));
    writeFileSync(join(space.project, ".env.example"), "LEVEL=1\n");
    const before = readFileSync(space.file);
    const names = [...on].sort();

    const wrapped = await space.start("wrap", "--client", client);
    expect(wrapped.code, wrapped.stderr).toBe(0);
    expect(readFileSync(space.file)).not.toEqual(before);
    expect(await space.guarded()).toEqual(names);
    const doctor = await space.start("doctor");
    expect(doctor.stderr).toBe("");
    expect(await space.start("unwrap", "--client", client)).toMatchObject({ code: 0 });
    expect(readFileSync(space.file)).toEqual(before);

    // One of Claude Code's files holds the servers of every project, and only its client option can separate them.
    const pinned = text.includes("{project}")
      ? await space.start("init", "--yes", "--ci", "none", "--client", client)
      : await space.start("pin", "--mcp-config", space.file);
    expect(pinned.code, pinned.stderr).toBe(0);
    const { servers } = JSON.parse(readFileSync(join(space.project, "agentprint.lock"), "utf8"));
    expect(servers.map(({ name }: { name: string }) => name)).toEqual(names);
    const ofUser = path.startsWith("~/") && !text.includes("{project}") ? ["--mcp-config", space.file] : [];
    const checked = await space.start("check", ...ofUser);
    expect(checked.code, checked.stdout + checked.stderr).toBe(0);
  },
);
