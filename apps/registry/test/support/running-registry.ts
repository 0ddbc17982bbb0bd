import { environmentOf } from "@agentprint/testing/registry-process";
import { pino } from "pino";
import { loadConfig } from "../../src/config/config.ts";
import { EVERY_AGENT, issueKey } from "../../src/keys/keys.ts";
import { type RunningRegistry, startRegistry } from "../../src/serve.ts";
import { openStore } from "../../src/store/open-store.ts";

/** Starts a registry in this process, on a free port, with settings without their prefix; `token` is of a key for every agent. */
export async function startHere(
  settings: Readonly<Record<string, string>> & { readonly database: string },
): Promise<RunningRegistry & { readonly token: string }> {
  const config = loadConfig(environmentOf({ port: "0", ...settings }));
  const registry = await startRegistry(config, pino({ level: "silent" }));
  const store = await openStore(settings.database);
  const { token } = await issueKey(store, EVERY_AGENT, new Date());
  await store.close();
  return { ...registry, token };
}
