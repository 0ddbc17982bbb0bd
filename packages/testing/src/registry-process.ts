import { join } from "node:path";
import { REPOSITORY } from "./repository.ts";
import { FROM_SOURCE, type ServiceProcess, startService } from "./service-process.ts";

const MAIN = join(REPOSITORY, "apps/registry/src/main.ts");
const SAYS = /^The registry answers at (http:\S+)$/;

/** Starts a registry, or another program that prints its address, on a free port, with settings given without their prefix. */
export async function startProcess(
  settings: Readonly<Record<string, string>>,
  program: readonly string[] = [MAIN],
): Promise<ServiceProcess> {
  const all = { port: "0", log_level: "silent", address_limit: "1000000", key_limit: "1000000", ...settings };
  return startService({ words: [...FROM_SOURCE, ...program], env: environmentOf(all), output: "stdout", says: SAYS });
}

/** Returns the environment variables for settings. */
export function environmentOf(settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const named = Object.entries(settings).map(([name, value]) => [`AGENTPRINT_REGISTRY_${name.toUpperCase()}`, value]);
  return { ...process.env, ...Object.fromEntries(named) };
}
