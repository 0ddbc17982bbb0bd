import { createAuthHttp, reachOfServer, StoredAuthorization } from "@agentprint/mcp-auth";
import type { HttpAuthorization } from "@agentprint/mcp-visit";
import type { Context } from "../context.ts";
import { openLogins } from "./open-logins.ts";
import { readCredentials } from "./read-credentials.ts";

/** Returns the authorization of a visit by the login for its server; no output shows its tokens. */
export async function openAuthorization(context: Context, server: string): Promise<HttpAuthorization> {
  const store = await openLogins(context);
  const http = createAuthHttp(await reachOfServer(new URL(server)), context.signal);
  const stored = new StoredAuthorization({ store, http, server, credentials: readCredentials(context) });
  return {
    headers: async () => {
      const headers = await stored.headers();
      context.hidden.hide(
        Object.values(headers).map((value) => ({ name: "the access token", value: value.slice("Bearer ".length) })),
      );
      return headers;
    },
    refused: (response, sent) => stored.refused(response, sent),
  };
}
