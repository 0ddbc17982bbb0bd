import { fileURLToPath } from "node:url";
import { FROM_SOURCE, type ServiceProcess, startService } from "@agentprint/testing/service-process";
import { environmentOf } from "./server.ts";

const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url));
const SAYS = /^The MCP server answers at (http:\S+)$/;
/** The most bytes of a body that the server from {@link startProcess} reads. */
export const BODY_LIMIT = 6 * 65_536 + 2 ** 20;

/** Starts an HTTP server on a free port with the trail at `url`; the settings are named without their prefix. */
export async function startProcess(
  url: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<ServiceProcess> {
  const variables = environmentOf({
    port: "0",
    log_level: "silent",
    token_minute_limit: "1000000",
    session_limit: "1000",
    hash_limit: "65536",
    ...settings,
  });
  const env = { ...variables, AGENTPRINT_TRAIL_URL: url };
  return startService({ words: [...FROM_SOURCE, MAIN, "serve", "--http"], env, output: "stderr", says: SAYS });
}
