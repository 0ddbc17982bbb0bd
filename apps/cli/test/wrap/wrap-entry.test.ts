import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  entriesAt,
  flowText,
  membersWithServers,
  type ParsedConfig,
  parseConfig,
  readEntry,
  tomlKey,
} from "@agentprint/client-configs";
import { CLIENTS } from "@agentprint/client-configs/client-table";
import fc from "fast-check";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { guardAddress, guardWords } from "../../src/clients/guarded-launch.ts";
import { recognizeAnyGuard } from "../../src/clients/recognize-guard.ts";
import { unwrapEntry, wrapAddress, wrapCommand } from "../../src/wrap/wrap-entry.ts";

const FILES = fileURLToPath(new URL("../../../../packages/client-configs/test/files/", import.meta.url));
const texts = readdirSync(FILES).map((file) => [file, readFileSync(FILES + file, "utf8")] as const);
const LOCK = "/home/me/agent print/agentprint.lock";

/**
 * Puts the guard in front of every server in a configuration; asserts that each server is still started with the same
 * command.
 */
async function wrapAll(text: string, file: string): Promise<ParsedConfig> {
  let config = await parseConfig(text, file);
  const [member = ""] = membersWithServers(config);
  for (const { name, path, value, state } of entriesAt(config, [member])) {
    const before = readEntry(value, recognizeAnyGuard);
    if (state === "built-in" || typeof before === "string") continue;
    config =
      before.type === "stdio"
        ? await wrapCommand(config, path, guardWords(name, LOCK))
        : await wrapAddress(config, path, guardAddress(name, "127.0.0.1:4000"));
    const wrapped = entriesAt(config, [member]).find((entry) => entry.name === name);
    expect(readEntry(wrapped?.value, recognizeAnyGuard)).toEqual({ ...before, guardedAs: name });
  }
  return config;
}

async function unwrapAll(config: ParsedConfig): Promise<string> {
  let plain = config;
  const [member = ""] = membersWithServers(config);
  for (const { path, value } of entriesAt(config, [member])) {
    const entry = readEntry(value, recognizeAnyGuard);
    if (typeof entry !== "string" && entry.guardedAs !== undefined) plain = await unwrapEntry(plain, path);
  }
  return plain.text;
}

test.each(
  texts.flatMap(([file, text]) => [
    [file, text] as const,
    [file, text.replaceAll("\n", "\r\n")] as const,
    [file, text.trimEnd()] as const,
  ]),
)("%s is the same byte for byte after the guard was put in front and taken away (%#)", async (file, text) => {
  const wrapped = await wrapAll(text, file);
  expect(wrapped.text).not.toBe(text);
  expect(await unwrapAll(wrapped)).toBe(text);
});

const word = fc.oneof(
  fc.stringMatching(/^[\w./@-]{1,12}$/),
  fc.constantFrom("", "-y", "--", "guard", "true", "1", "a: b", "# x", "'", '"', "\\", "$".concat("{A}"), "é\u{1f600}"),
);
const command = fc.constantFrom("npx", "node", "/opt/a b/run", "C:\\run.exe", "true", "x:y", "guard", "uvx");
const server = fc.record(
  {
    command,
    args: fc.array(word, { maxLength: 3 }),
    env: fc.constantFrom({}, { KEY: "v" }),
    url: fc.constantFrom("https://a.example/mcp", "http://b.example:1/x?y=1#z", "$".concat("{env:URL}")),
    isRemote: fc.boolean(),
  },
  { requiredKeys: ["command", "url", "isRemote"] },
);
type Server = typeof server extends fc.Arbitrary<infer Value> ? Value : never;
const servers = fc.dictionary(fc.stringMatching(/^[a-z][\w -]{0,8}$/), server, { minKeys: 1, maxKeys: 4 });
const style = fc.record({
  indent: fc.constantFrom<string | number>(0, 1, 2, 4, "\t"),
  crlf: fc.boolean(),
  ends: fc.boolean(),
  flow: fc.boolean(),
});

/** Returns a server's entry as a client writes it. */
function spelled(id: string, { command: program, args, env, url, isRemote }: Server): Record<string, unknown> {
  const environment =
    env === undefined ? {} : { [id === "opencode" ? "environment" : id === "goose" ? "envs" : "env"]: env };
  if (isRemote) return { [{ gemini: "httpUrl", windsurf: "serverUrl", goose: "uri" }[id] ?? "url"]: url };
  if (id === "opencode") return { type: "local", command: [program, ...(args ?? [])], ...environment };
  return { [id === "goose" ? "cmd" : "command"]: program, ...(args && { args }), ...environment };
}

function written(
  id: string,
  member: readonly string[],
  all: Readonly<Record<string, Server>>,
  { indent, crlf, ends, flow }: typeof style extends fc.Arbitrary<infer Value> ? Value : never,
  format: "json" | "toml" | "yaml",
): string {
  const entries = Object.entries(all).map(([name, each]) => [name, spelled(id, each)] as const);
  const value = id === "continue" ? entries.map(([name, entry]) => ({ name, ...entry })) : Object.fromEntries(entries);
  const whole = member.reduceRight<unknown>((inner, name) => ({ first: 1, [name]: inner }), value);
  const toml = (): string =>
    entries
      .map(([name, entry]) => {
        const header = `[${member.join(".")}.${tomlKey(name)}]`;
        const lines = Object.entries(entry).map(
          ([key, each]) => `${tomlKey(key)} = ${flowText("toml", each as string)}`,
        );
        return flow ? `${header}\n${lines.join("\n")}` : `${header} # here\n${lines.join(" # and\n")}\n`;
      })
      .join("\n");
  const text =
    format === "toml"
      ? toml()
      : format === "yaml"
        ? stringify(whole, {
            indent: 2,
            collectionStyle: flow ? "flow" : "block",
            lineWidth: 0,
            aliasDuplicateObjects: false,
          })
        : JSON.stringify(whole, null, indent);
  const lines = ends ? `${text.trimEnd()}\n` : text.trimEnd();
  return crlf ? lines.replaceAll(/\r?\n/g, "\r\n") : lines;
}

test.each(CLIENTS.map(({ id, files }) => [id, files] as const))(
  "any configuration of %s is the same again",
  async (id, files) => {
    const kinds = files.map(({ path, member }) => {
      const file = typeof path === "string" ? path : path.linux;
      const format = /\.toml$/.test(file) ? "toml" : /\.yaml$/.test(file) ? "yaml" : "json";
      return [format, [member[0] ?? ""]] as const;
    });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...kinds), servers, style, async ([format, member], all, how) => {
        const text = written(id, member, all, how, format);
        const wrapped = await wrapAll(text, `config.${format}`);
        expect(await unwrapAll(wrapped)).toBe(text);
      }),
      { numRuns: 40 },
    );
  },
);
