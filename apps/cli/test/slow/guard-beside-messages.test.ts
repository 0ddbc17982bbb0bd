import { listen } from "@agentprint/testing/mcp-servers/http-servers";
import { expect, test } from "vitest";
import { INITIALIZE } from "../guard/guarded.ts";
import { listening } from "../guard/support.ts";
import { Workspace } from "../support/workspace.ts";

const HIDDEN = "seen\u200bhid\u{e0041}den\u001b[8m";
/** The text in UTF-8, as it arrives in a header's value. */
const IN_HEADER = Buffer.from("seen\u200bhidden").toString("latin1");

test.each(["withhold", "warn"] as const)(
  "the texts that a server sends outside its messages, with %s",
  async (screen) => {
    using space = new Workspace();
    let answer: "fine" | "challenge" | "session" = "fine";
    let metadata: unknown = {};
    using server = await listen(({ url, method }, response, { body }) => {
      if (url?.startsWith("/.well-known/")) {
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(metadata));
        return;
      }
      const { id, method: asked } = (body ?? {}) as { id?: number; method?: string };
      if (method !== "POST" || id === undefined) return void response.writeHead(method === "POST" ? 202 : 405).end();
      const json = { "content-type": "application/json" };
      if (answer === "challenge") {
        const challenge = `Bearer realm="plain", error_description="${IN_HEADER}", resource_metadata=https://there/x`;
        response.writeHead(401, { ...json, "www-authenticate": challenge });
        response.end(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32001, message: HIDDEN, data: [HIDDEN] } }));
        return;
      }
      const more = answer === "session" ? { "mcp-session-id": `a${IN_HEADER}` } : {};
      const isKnown = asked === "initialize";
      const agreed = { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "s", version: "1" } };
      const said = isKnown ? { result: agreed } : { error: { code: -32601, message: "Method not found" } };
      response.writeHead(200, { ...json, ...more }).end(JSON.stringify({ jsonrpc: "2.0", id, ...said }));
    });
    const pinned = await space.run(["pin", "--name", "remote", "--url", server.url]);
    expect(pinned, pinned.stderr).toMatchObject({ code: 0 });
    await using guard = await listening(space, ["remote", "--screen", screen, "--pass-through", "remote"]);
    const initialize = () =>
      fetch(guard.url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ ...INITIALIZE, id: 7 }),
      });
    const isShown = screen === "warn";

    answer = "challenge";
    const refused = await initialize();
    const challenge = refused.headers.get("www-authenticate") ?? "";
    expect(refused.status).toBe(401);
    expect(challenge).toContain('realm="plain"');
    expect(challenge).toContain(
      `resource_metadata="${new URL("/.well-known/oauth-protected-resource/remote", guard.url)}"`,
    );
    expect(challenge).not.toContain("https://there");
    expect(challenge.includes(IN_HEADER)).toBe(isShown);
    const body = await refused.text();
    expect(JSON.parse(body)).toMatchObject({ id: 7, error: { code: -32001 } });
    expect(body.includes("hid\u{e0041}den")).toBe(isShown);

    for (const kind of ["oauth-protected-resource", "oauth-authorization-server", "openid-configuration"]) {
      metadata = {
        issuer: "https://auth.example",
        resource_name: HIDDEN,
        scopes_supported: ["read", HIDDEN],
      };
      const shown = await fetch(new URL(`/.well-known/${kind}/remote`, guard.url));
      const text = await shown.text();
      expect(JSON.parse(text)).toMatchObject({ issuer: "https://auth.example" });
      expect(text.includes("hid\u{e0041}den")).toBe(isShown);
      expect(text.includes("Withheld")).toBe(!isShown);
      // An identifier or a key cannot be replaced, so the metadata is withheld.
      for (const hiding of [{ [HIDDEN]: 1 }, { id: HIDDEN }]) {
        metadata = { issuer: "https://auth.example", ...hiding };
        expect((await fetch(new URL(`/.well-known/${kind}/remote`, guard.url))).status).toBe(isShown ? 200 : 404);
      }
    }

    answer = "session";
    const named = await initialize();
    expect(named.headers.get("mcp-session-id")).toBeNull();
    expect(await named.json()).toMatchObject({ id: 7, error: { code: -32603 } });
  },
);
