import { createAuthHttp, reachOfServer } from "@agentprint/mcp-auth";
import type { Context } from "../run/context.ts";

/**
 * Returns the JSON text at an address, of at most 1 MiB; no redirect is followed.
 *
 * @throws Error if there is no answer, or its status is not 200
 */
export async function readAddress(
  { signal, answers }: Pick<Context, "answers" | "signal">,
  address: string,
): Promise<string> {
  const http = createAuthHttp(await reachOfServer(new URL(address)), signal, answers);
  try {
    const response = await http.fetch(address, { headers: { accept: "application/json" } });
    if (response.status !== 200) throw new Error(`HTTP ${response.status}`);
    return await response.text();
  } finally {
    await http.close();
  }
}
