import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { loadConfig } from "../../src/config.ts";
import { createServerFactory } from "../../src/factory.ts";
import { startHttp } from "../../src/http/serve-http.ts";
import { openServices } from "../../src/services.ts";
import { addContent } from "./fixture-content.ts";
import { addInput, requestState } from "./fixture-input.ts";
import { addMessages } from "./fixture-messages.ts";

/** The server that the suite tests: the unmodified one, or the same server with the suite's own tools added. */
export type Subject = "server" | "fixture";

/** Starts a tested server on a free port of the loopback interface, with its own trail. */
export async function startSubject(
  subject: Subject,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "conformance-trail-"));
  const env = { AGENTPRINT_TRAIL_URL: `file:${join(folder, "trail.db")}`, AGENTPRINT_MCP_PORT: "0" };
  const services = await openServices(await loadConfig(env), pino({ level: "silent" }));
  const factory = createServerFactory(services, subject === "fixture" ? { requestState } : {});
  const server = await startHttp(services, async (context) => {
    const made = await factory(context);
    if (subject === "fixture" && "registerTool" in made) {
      addMessages(made);
      addContent(made);
      addInput(made);
    }
    return made;
  });
  const close = async (): Promise<void> => {
    await server.close();
    await services.trail.close();
    rmSync(folder, { recursive: true });
  };
  return { url: server.url, close };
}
