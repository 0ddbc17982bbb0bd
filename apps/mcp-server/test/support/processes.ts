import { fileURLToPath } from "node:url";
import { FROM_SOURCE, type ServiceProcess, startService } from "../../../../fixtures/tools/service-process.ts";
import { environmentOf } from "./server.ts";

const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url));
const SAYS = /^The MCP server answers at (http:\S+)$/;
/** Most bytes of a body that the server of {@link startProcess} reads. */
export const BODY_LIMIT = 65_536;

/** Starts a server over HTTP on a free port, on the trail at `url`. */
export async function startProcess(url: string): Promise<ServiceProcess> {
  const settings = environmentOf({
    port: "0",
    log_level: "silent",
    task_minute_limit: "1000000",
    session_limit: "1000",
    body_limit: String(BODY_LIMIT),
  });
  const env = { ...settings, AGENTPRINT_TRAIL_URL: url };
  return startService({ words: [...FROM_SOURCE, MAIN, "serve", "--http"], env, output: "stderr", says: SAYS });
}
