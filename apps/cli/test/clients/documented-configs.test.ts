import { CLIENT_IDS } from "@agentprint/client-configs";
import { expect, test } from "vitest";
import { DOCUMENTED_CONFIGS } from "../support/documented-configs.ts";
import { DocumentedProject } from "../support/documented-project.ts";

test("every client has a configuration here", () => {
  expect(new Set(DOCUMENTED_CONFIGS.map(({ client }) => client))).toEqual(new Set(CLIENT_IDS));
});

test.each(DOCUMENTED_CONFIGS)("$client reads $path", async (config) => {
  using space = new DocumentedProject(config);
  const read = (await space.find(false)).map(async ({ name, target: { launch, readValues }, places }) => {
    expect(places.map(({ client }) => client?.id)).toContain(config.client);
    const words = launch.type === "stdio" ? [launch.command, ...launch.args].join(" ") : launch.url;
    return [name, [words, await readValues()]] as const;
  });
  expect(Object.fromEntries(await Promise.all(read))).toEqual(config.servers);
  const names = (await space.find(true)).map(({ name }) => name);
  expect(names.filter((name) => !(name in config.servers)).sort()).toEqual(config.off ?? []);
});
