import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { DOCUMENTED_CONFIGS } from "../support/documented-configs.ts";
import { DocumentedProject } from "../support/documented-project.ts";

test.each(DOCUMENTED_CONFIGS)("the guard leaves no trace in $path of $client", async (config) => {
  for (const lineBreak of ["\n", "\r\n"] as const) {
    using space = new DocumentedProject(config, lineBreak);
    const client = ["--client", config.client];
    expect(await space.start("wrap", ...client, "--http", "127.0.0.1:4000")).toMatchObject({ code: 0 });
    expect(await space.guarded()).toEqual(Object.keys(config.servers).sort());
    expect(await space.start("unwrap", ...client)).toMatchObject({ code: 0 });
    expect(readFileSync(space.file, "utf8")).toBe(space.text);
  }
});
