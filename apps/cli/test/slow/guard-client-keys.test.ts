import fc from "fast-check";
import { expect, test } from "vitest";
import { INITIALIZE } from "../guard/guarded.ts";
import { listening, MODERN } from "../guard/support.ts";
import { DRIFTED, tellingServer } from "../guard/telling-server.ts";
import { Workspace } from "../support/workspace.ts";

const JSON_TYPES = { "content-type": "application/json", accept: "application/json, text/event-stream" };

interface Client {
  readonly isModern: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly name: string;
  readonly meta: object;
}

const client: fc.Arbitrary<Client> = fc.record({
  isModern: fc.boolean(),
  headers: fc.record(
    {
      authorization: fc.constantFrom("Bearer a", "Bearer b"),
      "x-api-key": fc.constantFrom("key-of-the-first", "key-of-the-second"),
      "user-agent": fc.constantFrom("one", "other"),
      "mcp-tenant": fc.constantFrom("blue", "red"),
    },
    { requiredKeys: [] },
  ),
  name: fc.constantFrom("one", "other"),
  meta: fc.constantFrom({}, { tenant: 1 }, { tenant: 2 }),
});

test.each([["0"], ["60"]])(
  "no client calls or sees a definition that was not verified for it, with --recheck %s",
  async (recheck) => {
    using server = await tellingServer();
    using space = new Workspace();
    const env = { AGENTPRINT_HEADER_X_API_KEY: "key-of-the-first" };
    const pinned = await space.run(["pin", "--name", "telling", "--url", server.url, "--header", "X-Api-Key"], env);
    expect(pinned, pinned.stderr).toMatchObject({ code: 0 });
    server.begin();
    await using guard = await listening(space, ["telling", "--recheck", recheck, "--pass-through", "telling"]);
    let ids = 0;
    const sessions = new Map<string, string>();
    const post = async (
      { isModern, headers, name, meta }: Client,
      method: string,
      params: object,
      session?: string,
    ) => {
      const id = ++ids;
      const own = { progressToken: id, traceparent: `00-${id}` };
      const info = { "io.modelcontextprotocol/clientInfo": { name, version: "1" } };
      const _meta = { ...own, ...meta, ...(isModern && { ...MODERN, ...info }) };
      const called = method === "tools/call" ? { "mcp-name": "read" } : {};
      const modern = { "mcp-protocol-version": "2026-07-28", "mcp-method": method, ...called };
      const era = isModern ? modern : session === undefined ? {} : { "mcp-session-id": session };
      const response = await fetch(guard.url, {
        method: "POST",
        headers: { ...JSON_TYPES, ...headers, ...era, "x-request-id": String(id), traceparent: `00-${id}` },
        body: JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, _meta } }),
      });
      const text = await response.text();
      return { id, text, session: response.headers.get("mcp-session-id") ?? undefined };
    };
    const begin = async (from: Client): Promise<string | undefined> => {
      const { clientInfo: _, ...params } = INITIALIZE.params;
      const { session } = await post(from, "initialize", { ...params, clientInfo: { name: from.name, version: "1" } });
      return session;
    };
    const property = fc.asyncProperty(
      fc.array(client, { minLength: 4, maxLength: 8 }),
      fc.array(fc.record({ index: fc.nat(7), method: fc.constantFrom("tools/list", "tools/call", "tools/call") }), {
        minLength: 20,
        maxLength: 40,
      }),
      async (clients, actions) => {
        const own = await Promise.all(clients.map((each) => (each.isModern ? undefined : begin(each))));
        for (const session of own) if (session) sessions.set(session, session);
        // A session and a second session of the same client: the server sees two clients.
        const answers = await Promise.all(
          actions.map(async ({ index, method }) => {
            const at = index % clients.length;
            const params = method === "tools/call" ? { name: "read", arguments: {} } : {};
            return { method, ...(await post(clients[at] as Client, method, params, own[at])) };
          }),
        );
        expect(server.betrayed).toEqual([]);
        for (const { text, method } of answers) {
          expect(text).not.toContain(DRIFTED);
          expect(text).toMatch(
            method === "tools/list" ? /"tools":/ : /honest|differs from the lock|could not be verified/,
          );
        }
        const listed = answers.filter(({ method }) => method === "tools/list");
        expect(listed.every(({ text }) => /"result":/.test(text))).toBe(true);
      },
    );
    await fc.assert(property, { numRuns: 12, endOnFailure: true });
    expect(server.honest.length).toBeGreaterThan(20);
    expect(sessions.size).toBeGreaterThan(5);
  },
);
