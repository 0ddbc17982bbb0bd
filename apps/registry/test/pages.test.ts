import { createHash } from "node:crypto";
import { EMPTY, withScopes } from "@agentprint/testing/manifest/scoped-manifests";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkHistory, type HistoryAnswer } from "../src/page/check-history.ts";
import { settleAgent } from "../src/rollback/settle.ts";
import { openRegistry, type TestRegistry } from "./support/registry.ts";
import { HOSTILE, STORY } from "./support/story.ts";

let registry: TestRegistry;
beforeAll(async () => {
  registry = await openRegistry();
  const [first = EMPTY, ...others] = STORY;
  await registry.create("demo", first);
  for (const manifest of others) await registry.publish("demo", manifest);
});
afterAll(() => registry.close());

const sign = async (): Promise<readonly string[]> => (await registry.sign()).signed;
const read = async (path: string): Promise<string> => (await registry.get(path)).text;

const PATHS = [
  "/",
  "/pages/agents/demo",
  "/pages/agents/demo/manifest",
  "/pages/agents/demo/draft",
  "/pages/agents/demo/diff?from=1&to=3",
  "/pages/agents/demo/consent",
  "/pages/agents/demo/consent?accepted=1",
  "/pages/agents/demo/history",
];

describe.each(PATHS)("the page %s", (path) => {
  test("has its language, runs only the registry's script, and styles nothing from elsewhere", async () => {
    const { text, headers, status } = await registry.get(path);
    expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(
      text.replace(/<script type="module" src="\/pages\/(?:verify-history|check-draft)\.js"><\/script>/g, ""),
    ).not.toMatch(/<script|<link|<img|<iframe|<[^>]*\s(?:on\w+|style)=|https?:\/\//);
    const style = createHash("sha256")
      .update(/<style>(.*?)<\/style>/s.exec(text)?.[1] ?? "")
      .digest("base64");
    const policy = headers.get("content-security-policy");
    expect(policy).toContain(`default-src 'none'; style-src 'sha256-${style}'`);
    expect(policy).toMatch(/script-src 'self';.*frame-ancestors 'none'/);
    expect(policy).not.toContain("unsafe");
    expect(text).toContain('<html lang="en">');
    const chinese = await registry.get(path, { "accept-language": "fr, zh-CN;q=0.9, en;q=0.8" });
    expect(chinese.text).toContain('<html lang="zh">');
    expect(chinese.headers.get("vary")).toBe("Accept-Language");
    const asked = await read(`${path}${path.includes("?") ? "&" : "?"}lang=zh`);
    expect(asked).toContain('<html lang="zh">');
  });

  test("shows hostile texts without being changed by them", async () => {
    const text = await read(path);
    expect(text).not.toMatch(/<script>|\p{Cf}|[^\P{Cc}\n]/u);
    expect(text.match(/<li/g)?.length).toBe(text.match(/<\/li>/g)?.length);
  });
});

test("a timeline lists for each version, newest first, its breaking changes and whether it weakens consent", async () => {
  const text = await read("/pages/agents/demo");
  const at = (part: string): number => text.indexOf(part);
  expect(at("Version 3")).toBeLessThan(at("Version 2"));
  expect(at("Version 2")).toBeLessThan(at("Version 1"));
  expect(text).toMatch(/Version 2.*breaking.*weakens consent/s);
  expect(text).toContain("First version");
  expect(text).toContain("from=1&amp;to=2");
});

test("an agent's page summarizes each version's changes, in the tone of the worst one", async () => {
  const versions = [
    withScopes({ "files:read": "medium" }),
    { ...withScopes({ "files:read": "medium" }), agent_version: "1.0.1" },
    { ...withScopes({ "files:read": "medium", "location:read": "high" }), agent_version: "1.1.0" },
    { ...withScopes({ "files:read": "low", "location:read": "high" }), agent_version: "1.2.0" },
    { ...withScopes({ "files:read": "low", "location:read": "high" }), capability_flags: { supports_voice: true } },
    { ...withScopes({ "files:read": "low" }), agent_version: "2.0.0" },
  ];
  for (const [index, manifest] of versions.entries()) {
    await (index === 0 ? registry.create("glance", manifest) : registry.publish("glance", manifest));
  }
  const items = async (query = ""): Promise<string[]> =>
    (await read(`/pages/agents/glance${query}`)).match(/<li class="card.*?<\/div>\n<\/li>/gs) ?? [];
  const [sixth, fifth, fourth, third, second, first] = await items();
  expect(first).toMatch(/^<li class="card good">.*<code><bdi>1\.0\.0<\/bdi><\/code>.*First version/s);
  expect(second).toMatch(/^<li class="card good">.*1\.0\.1.*changes nothing else/s);
  expect(third).toMatch(
    /^<li class="card odd">.*1\.1\.0.*asks for more: 1.*adds: 1.*Permission location:read was added.*Tool use_location_read was added/s,
  );
  expect(fourth).toMatch(/^<li class="card bad">.*weakens consent: 1.*less sensitive/s);
  expect(fifth).toMatch(/^<li class="card good">.*adds: 1.*supports_voice/s);
  expect(sixth).toMatch(/^<li class="card bad">.*2\.0\.0.*\d breaking.*was removed/s);
  expect((await items("?lang=zh"))[1]).toMatch(/新增:1 项.*规范第 1 版的客户端尚未实装语音/s);
  // The last version on a page is compared with the one before it, too.
  expect((await items("?before=4"))[0]).toContain("asks for more: 1");
  const list = await read("/");
  expect(list).toMatch(/glance.*Version 6 broke something.*Version 4 weakened consent/s);
});

test("a returned version is marked, and one after lost numbers names them", async () => {
  await registry.create("lost", EMPTY);
  await registry.publish("lost", { ...EMPTY, agent_version: "1.0.1" });
  const { db } = registry.services.store;
  await db
    .updateTable("versions")
    .set({ is_given_back: 1 })
    .where("agent_id", "=", "lost")
    .where("version", "=", 2)
    .execute();
  await settleAgent(registry.services.store, "lost", 4, new Date());
  await registry.publish("lost", { ...EMPTY, agent_version: "1.0.2" });
  const page = await read("/pages/agents/lost");
  expect(page).toMatch(/Version 5.*Versions 3 to 4 were lost in a rollback\..*from=2&amp;to=5.*Version 2.*restored/s);
});

test("the current manifest is a page: tools with folded schemas, permissions, capabilities and its JSON", async () => {
  const page = await read("/pages/agents/glance/manifest");
  expect(page).toMatch(
    /Current version: 6.*use_files_read.*<details><summary>Schema of the arguments.*files:read.*supports_voice<\/code>: no.*<details><summary>The whole manifest.*&quot;agent_version&quot;: &quot;2\.0\.0&quot;/s,
  );
  expect(await read("/pages/agents/glance/manifest?lang=zh")).toContain("当前清单");
});

test("after a weakening the card states once which sensitivity applies", async () => {
  const text = "the sensitivity that you accepted still applies";
  expect((await read("/pages/agents/glance/consent?accepted=3")).split(text)).toHaveLength(2);
  expect(await read("/pages/agents/glance/consent?accepted=4")).not.toContain(text);
});

test("a diff shows verdicts, counterexamples and values", async () => {
  const text = await read("/pages/agents/demo/diff?from=1&to=2");
  expect(text).toContain("Calls that were valid are no longer valid.");
  expect(text).toMatch(/A call that was valid and no longer is:<\/p><pre tabindex="0">\{\s+&quot;limit&quot;: \d+/);
  expect(text).toContain("/tools/0/input_schema");
  expect(text).toMatch(/<p class="dim">\d preceding lines? (?:is|are) the same<\/p><dl class="sides">/);
  expect(text).toMatch(/<dt>Before<\/dt><dd><pre tabindex="0">[^<]*<del> +&quot;maximum&quot;: 100,<\/del>/);
  expect(text).toMatch(/<dt>After<\/dt><dd><pre tabindex="0">[^<]*<ins> +&quot;maximum&quot;: 50,<\/ins>/);
  expect(await read("/pages/agents/demo/diff?from=2&to=2")).toContain("The two manifests are the same.");
});

test("weaker consent has a separate class, and each change has the id of its rule", async () => {
  await registry.create("weaker", withScopes({ "files:read": "high", "mail:send": "high" }));
  await registry.publish("weaker", withScopes({ "files:read": "low", "mail:send": "high" }));
  await registry.publish("weaker", { ...withScopes({ "files:read": "low" }), agent_version: "9.0.0" });
  const weaker = await read("/pages/agents/weaker/diff?from=1&to=2");
  expect(weaker).toMatch(/<h2>Weakens consent \(\d+\)<\/h2>.*<code>manifest\/[a-z_]+<\/code>/s);
  expect(weaker).not.toContain("Neither breaking nor not");
  const removed = await read("/pages/agents/weaker/diff?from=2&to=3");
  expect(removed).toContain("<code>manifest/tool_removed</code>");
  expect(removed).not.toContain("Weakens consent");
});

test("a breaking version under the same agent_version is named as such", async () => {
  const unannounced = "Something breaks, but agent_version is the same in both versions";
  await registry.create("quiet", withScopes({ "files:read": "low" }));
  await registry.publish("quiet", EMPTY);
  expect(await read("/pages/agents/quiet/diff?from=1&to=2")).toContain(unannounced);
  expect(await read("/pages/agents/weaker/diff?from=2&to=3")).not.toContain(unannounced);
  expect(await read("/pages/agents/weaker/diff?from=1&to=2")).not.toContain(unannounced);
});

test("a consent card has the labels of standard scopes, keys for others, and the new parts for the user", async () => {
  const english = await read("/pages/agents/demo/consent?accepted=1");
  for (const label of ["Send notifications", "Read local files", "Read the location"]) expect(english).toContain(label);
  expect(english).toContain("accepted as medium");
  expect(english).toContain("new for the user");
  expect(english).toContain("agent.scopes.\\u{202e}elif_eteled\\u{202c}.label\\u{200b}\\u{7}");
  expect(english).toContain("&lt;script&gt;");
  expect(english).toContain("Something broke since the accepted version");
  // The user accepted location:read as high, and is still asked about it as high.
  expect(english).toMatch(/Read the location.*high sensitivity.*declared as low.*Asked before every call/s);
  expect(english).toContain("Please review its permissions again.");
  expect(english).toMatch(/Shown for this agent:[^<]*\w/);
  const chinese = await read("/pages/agents/demo/consent?accepted=1&lang=zh");
  for (const label of ["发送通知", "读取本地文件", "读取位置"]) expect(chinese).toContain(label);
  expect(chinese).toContain("Agent 能力变更,请重新审阅权限");
  expect(chinese).toContain("此 Agent 显示的入口");
  const newUser = await read("/pages/agents/demo/consent?accepted=");
  expect(newUser).toContain("none: a new user");
  // Once the agent is added, a client runs calls of low sensitivity without asking.
  expect(newUser).toContain("Adding the agent permits it: it runs without asking.");
  expect(newUser).not.toContain("Asked once, before the first call.");
  expect(await read("/pages/agents/demo/consent?lang=zh")).toContain("添加此 Agent 即表示允许:之后静默执行。");
  await registry.create("grown", EMPTY);
  await registry.publish("grown", withScopes({ "a:b": "low" }));
  expect(await read("/pages/agents/grown/consent?accepted=1")).toContain("Asked once, before the first call.");
  const same = await read("/pages/agents/demo/consent?accepted=3");
  expect(same).toContain("The user is asked nothing beyond what they accepted.");
  await registry.create("plain", EMPTY);
  expect(await read("/pages/agents/plain/consent")).toContain("This agent needs no permissions.");
});

test.each([
  ["/pages/agents/nobody", 404, "there is no agent"],
  ["/pages/agents/nobody/consent", 404, "there is no agent"],
  ["/pages/agents/demo/diff?from=1&to=9", 404, "expected a version from 1 to 3"],
  ["/pages/agents/demo/diff?from=x&to=1", 400, "query"],
  ["/pages/nothing", 404, "there is nothing at this path"],
  ["/pages/agents/%3Cscript%3E", 404, "there is nothing at this path"],
  ["/?lang=%3Cscript%3Ealert(1)%3C%2Fscript%3E&after=%00", 400, "query"],
])("%s is an error page", async (path, status, message) => {
  const answer = await registry.get(path);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([status, "text/html; charset=utf-8"]);
  expect(answer.text).toContain(message);
  expect(answer.text).not.toContain("<script");
});

test("many agents and many versions fill several pages", async () => {
  for (let count = 0; count < 101; count++) await registry.create(`many-${String(count).padStart(3, "0")}`, EMPTY);
  for (let version = 2; version <= 52; version++) await registry.publish("many-000", EMPTY);
  const first = await read("/");
  const next = /href="(\/\?after=[^"]+)">More/.exec(first)?.[1]?.replaceAll("&amp;", "&") ?? "";
  expect(first).toContain("many-000");
  expect(await read(next)).toContain("many-100");
  const newest = await read("/pages/agents/many-000");
  expect(newest).toContain("before=3");
  expect(await read("/pages/agents/many-000?before=3")).toContain("First version");
  expect(await read("/pages/agents/many-000?before=3")).not.toContain("More");
}, 60_000);

describe("a history that a browser verifies", () => {
  const pagesOf = async function* (agent: string): AsyncGenerator<HistoryAnswer> {
    for (let after: number | null = 0; after !== null; ) {
      const page: HistoryAnswer = (await registry.get(`/agents/${agent}/history?after=${after}`)).body;
      yield page;
      after = page.next;
    }
  };
  const check = (kept = "", key = registry.services.signing.verifierKey) =>
    checkHistory(pagesOf("many-000"), key, kept);
  const findings = async () => (await check()).records.map(({ finding }) => finding);

  test("is intact, and covered by checkpoints once they are signed", async () => {
    expect(await findings()).toEqual(Array(52).fill("okUnsigned"));
    await sign();
    await registry.publish("many-000", EMPTY);
    expect(await findings()).toEqual([...Array(52).fill("ok"), "okUnsigned"]);
    const kept = await read("/agents/many-000/checkpoint");
    await registry.publish("many-000", EMPTY);
    await sign();
    expect(await check(kept)).toMatchObject({ signed: 54, kept: { size: 52, fits: true } });
    await expect(check("", "x")).rejects.toMatchObject({ code: "invalid-key" });
    const other = (await openRegistry()).services.signing.verifierKey;
    await expect(check("", other)).rejects.toThrow();
  });

  test("is not, when a record is altered or cut off, or everything is rewritten and signed", async () => {
    const kept = await read("/agents/many-000/checkpoint");
    const { store } = registry.services;
    await sql`drop trigger thoughts_no_update`.execute(store.db);
    await sql`drop trigger thoughts_no_delete`.execute(store.db);
    await sql`update thoughts set content = replace(content, 'many-000', 'many-001') where position = 7 and task_id = 'agents/many-000'`.execute(
      store.db,
    );
    expect((await findings()).map((one) => one === "altered").indexOf(true)).toBe(7);
    await sql`delete from thoughts where task_id = 'agents/many-000' and position = 53`.execute(store.db);
    expect((await registry.get("/agents/many-000/history")).body).toMatchObject({ status: 500, code: "CORRUPT" });
    const cut = (await registry.get("/agents/demo/history")).body;
    cut.entries.pop();
    const { records } = await checkHistory(only(cut), registry.services.signing.verifierKey, "");
    expect(records.map(({ finding }) => finding)).toEqual(["ok", "ok", "altered"]);
    const rewritten = await openRegistry();
    await rewritten.create("many-000", STORY[0] ?? EMPTY);
    const page: HistoryAnswer = {
      ...(await rewritten.get("/agents/many-000/history")).body,
      origin: `${registry.services.signing.signer.name}/agents/many-000`,
    };
    const found = await checkHistory(only(page), registry.services.signing.verifierKey, kept);
    expect(found).toMatchObject({ records: [{ finding: "okUnsigned" }], kept: { fits: false } });
    await rewritten.close();
  });
});

async function* only<T>(value: T): AsyncGenerator<T> {
  yield value;
}

test("the page's script contains everything it needs, and none of Node's modules", async () => {
  const { text, headers } = await registry.get("/pages/verify-history.js");
  expect(headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  expect(text).not.toMatch(/\bimport\s*[({"']|\brequire\(|["']node:/);
  expect(text.length).toBeLessThan(100_000);
  expect(HOSTILE.html).toContain("script");
});
