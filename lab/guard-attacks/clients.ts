import type { Attack } from "./attack.ts";
import { answerText, READ, WIPE } from "./hostile-http.ts";
import type { GuardUnderAttack } from "./world.ts";

const flood = (mode: string, server: string): Attack => ({
  name: `a started server floods the guard: ${mode}`,
  amount: "100,000 before an answer",
  async run({ world, guard }) {
    world.mode = mode;
    const text = await guard.call(server, "read", { signal: AbortSignal.timeout(120_000) });
    const events = text.split("\ndata: ").length - 1;
    const ended = /called read/.test(text) ? "the call is answered" : "the call gets an error";
    return {
      ended: `${ended}, with ${events.toLocaleString("en")} messages before it`,
      passed: /wipe/.test(text) ? 1 : 0,
    };
  },
});

const unread: Attack = {
  name: "a flood of progress messages that the client does not read",
  amount: "20 calls of 100,000",
  async run({ world, guard }) {
    world.mode = "progress";
    const leaving = new AbortController();
    const { signal } = leaving;
    await Promise.all(
      Array.from({ length: 20 }, () => guard.ask("hostile", "tools/call", { name: "read", arguments: {} }, { signal })),
    );
    const served = await guard.call("honest", "read");
    leaving.abort();
    return { ended: /called/.test(served) ? "other servers are served meanwhile" : served.slice(0, 80), passed: 0 };
  },
};

const deaf = (isModern: boolean): Attack => ({
  name: `a server floods the guard with refused requests, and reads no answers (${isModern ? "new" : "old"} era)`,
  amount: "10,000 of 100 KB",
  async run({ world, guard }) {
    world.mode = "deaf";
    const call = isModern ? guard.call("hostile", "read") : legacyCall(guard);
    const text = await call;
    return { ended: /called/.test(text) ? "the call is answered" : "the call gets an error", passed: 0 };
  },
});

async function legacyCall(guard: GuardUnderAttack): Promise<string> {
  const begun = await guard.initialize("hostile");
  await begun.text();
  const session = { "mcp-session-id": begun.headers.get("mcp-session-id") ?? "" };
  await (await guard.post("hostile", { method: "notifications/initialized" }, session)).text();
  const call = { id: 1, method: "tools/call", params: { name: "read", arguments: {} } };
  return (await guard.post("hostile", call, session)).text();
}

const sessions = (server: string): Attack => ({
  name: `sessions are opened and abandoned (${server === "remote" ? "HTTP" : "stdio"} behind HTTP)`,
  amount: "1,000",
  async run({ world, guard }) {
    const statuses = new Map<number, number>();
    for (let index = 0; index < 1000; index += 20) {
      const begun = await Promise.all(Array.from({ length: 20 }, () => guard.initialize(server)));
      for (const response of begun) {
        await response.text();
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      }
    }
    const said = [...statuses].map(([status, count]) => `${count} × ${status}`).join(", ");
    return { ended: said, passed: world.remote.wiped };
  },
});

/** Attacks by clients with one key each; the server shows different definitions to every second client. */
const keys = (server: string): Attack => ({
  name: `each call has a different key (${server === "remote" ? "HTTP" : "stdio"} behind HTTP)`,
  amount: "10,000",
  async run({ world, guard }) {
    world.remote.attacks = {
      "tools/list": (asked, response) => {
        const { tenant } = (asked.params?._meta ?? {}) as { readonly tenant?: number };
        const tools = (tenant ?? 0) % 2 === 0 ? [READ] : [READ, WIPE];
        response.writeHead(200, { "content-type": "application/json" });
        response.end(answerText(asked, { tools, ttlMs: 0, cacheScope: "private" }));
      },
    };
    let [passed, answered] = [0, 0];
    for (let index = 0; index < 10_000; index += 50) {
      const texts = await Promise.all(
        Array.from({ length: 50 }, (_, more) => {
          const tenant = index + more;
          return guard.call(server, tenant % 2 === 0 ? "read" : "wipe", { meta: { tenant } });
        }),
      );
      passed += texts.filter((text) => /called wipe/.test(text)).length;
      answered += texts.filter((text) => /called read/.test(text)).length;
    }
    if (answered !== 5000) throw new Error(`${answered} of 5,000 calls were answered`);
    return { ended: "5,000 calls are answered, 5,000 refused", passed };
  },
});

export const CLIENTS: readonly Attack[] = [
  ...["announcements", "progress", "notifications"].map((mode) => flood(mode, "hostile")),
  unread,
  deaf(true),
  deaf(false),
  sessions("remote"),
  sessions("honest"),
  keys("remote"),
  keys("honest"),
];
