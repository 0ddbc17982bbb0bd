import { type Client, type ClientId, flowText, tomlKey } from "@agentprint/client-configs";
import fc from "fast-check";
import { stringify } from "yaml";
import { hostile } from "./hostile.ts";

/** A mark that every secret of a configuration contains, and no other value. */
export const MARK = "sEkReT";

/** A client's configuration that contains secrets. */
export interface SecretConfig {
  /** Relative to the project's folder or, with `~/`, to the user's home folder. */
  readonly path: string;
  readonly text: string;
  /** The text, either broken somewhere or intact with other names. */
  readonly broken: string;
  /** The commands that a client starts, as far as the configuration is complete. */
  readonly commands: readonly (readonly string[])[];
}

const ref = (text: string): string => `\${${text}}`;

const secret = fc
  .tuple(
    fc.nat(99_999),
    fc.constantFrom(
      "",
      "-x/9+=",
      "é",
      "%41",
      " two words",
      '"',
      "\\",
      "'",
      "\n",
      `${ref("HOME")}`,
      `${ref("config:sEkReT")}`,
    ),
  )
  .map(([number, more]) => `${MARK}${number}x7Q${more}`);
/** Secrets without characters that end a secret in a command line or in a URL. */
const plain = fc.nat(99_999).map((number) => `${MARK}${number}x7Q`);

const secretArgument = plain.chain((value) =>
  fc.constantFrom(
    ["--token", value],
    ["--api-key", value],
    [`--api-key=${value}`],
    [`--password=${value}`],
    ["-H", `Authorization: Bearer ${value}`],
    ["--header", `X-Api-Key: ${value}`],
    [`--header=Authorization: Basic ${Buffer.from(`me:${value}`).toString("base64")}${MARK}=`],
    ["--env", `API_TOKEN=${value}`],
    [`CLIENT_SECRET=${value}`],
    ["--url", `https://me:${value}@example.test/x`],
    [`https://${value}@example.test/x?token=${value}`],
    ["-c", `run --token ${value} && API_KEY=${value} run`],
  ),
);
const words = fc.constantFrom("run", "--verbose", "-v", "x.js", ".", ref("workspaceFolder"));
const args = fc
  .array(
    fc.oneof(
      secretArgument,
      words.map((word) => [word]),
    ),
    { maxLength: 4 },
  )
  .map((parts) => parts.flat());
const values = (names: readonly string[]) => fc.dictionary(fc.constantFrom(...names), secret, { maxKeys: 3 });

const server = fc.record({
  isRemote: fc.boolean(),
  program: fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(["/nowhere/run"], ["no-such-program"], ["/nowhere/two words", "x"]) },
    { weight: 1, arbitrary: fc.constant<readonly string[]>(hostile("terminal-escapes")) },
  ),
  args,
  env: values(["API_KEY", "MODE", "NODE_ENV", "GITHUB_TOKEN", "URL"]),
  headers: values(["Authorization", "X-Api-Key", "X-Region", "Cookie"]),
  url: plain.chain((value) =>
    fc.constantFrom(
      `http://${value}@127.0.0.1:1/mcp`,
      `http://me:${value}@127.0.0.1:1/mcp`,
      `http://127.0.0.1:1/mcp?api_key=${value}&x=1`,
      `htp://me:${value}@example.test`,
      `http://127.0.0.1:1/mcp#access_token=${value}`,
    ),
  ),
  /** Properties that no client knows, or whose type differs from the one that a client expects. */
  more: fc.oneof(
    { weight: 3, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: secret.map((value) => ({ oauth: { clientSecret: value } })) },
    { weight: 1, arbitrary: plain.map((value) => ({ env: { A: [value] } })) },
    { weight: 1, arbitrary: plain.map((value) => ({ args: value })) },
    { weight: 1, arbitrary: plain.map((value) => ({ headers: value })) },
    { weight: 1, arbitrary: plain.map((value) => ({ cwd: [value] })) },
    { weight: 1, arbitrary: plain.map((value) => ({ disabled: true, note: value })) },
  ),
});
type Server = typeof server extends fc.Arbitrary<infer Value> ? Value : never;

/** Returns a server's entry as a client writes it. */
function spelled(
  id: ClientId,
  { isRemote, program, args: rest, env, headers, url, more }: Server,
): Record<string, unknown> {
  if (isRemote) {
    const address = { gemini: "httpUrl", qwen: "httpUrl", windsurf: "serverUrl", goose: "uri" }[id as string] ?? "url";
    const named =
      id === "codex" ? { http_headers: headers } : id === "continue" ? { requestOptions: { headers } } : { headers };
    return { [address]: url, ...named, ...more };
  }
  const variables = { [{ opencode: "environment", kilo: "environment", goose: "envs" }[id as string] ?? "env"]: env };
  const [command, ...own] = program;
  if (id === "opencode" || id === "kilo")
    return { type: "local", command: [...program, ...rest], ...variables, ...more };
  return { [id === "goose" ? "cmd" : "command"]: command, args: [...own, ...rest], ...variables, ...more };
}

const damage = fc.oneof(
  { weight: 3, arbitrary: fc.constant((text: string) => text) },
  { weight: 1, arbitrary: fc.nat().map((at) => (text: string) => text.slice(0, at % text.length)) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.nat(),
        fc.constantFrom('"', "{", "}", "]", "\\", "=", ":", "- ", "\t", "&a", "*a", "'''", "\u0000", ","),
      )
      .map(([at, added]) => (text: string) => {
        const place = at % (text.length + 1);
        return text.slice(0, place) + added + text.slice(place);
      }),
  },
);

/** Generates a client's configurations, with secrets in every place where people write them. */
export function secretConfigs({ id, files }: Client): fc.Arbitrary<SecretConfig> {
  const kinds = files.map(({ path, member }) => {
    const file = (typeof path === "string" ? path : path.linux).replace("*", "servers");
    const home = { $XDG_CONFIG_HOME: "~/.config", $CODEX_HOME: "~/.codex", $COPILOT_HOME: "~/.copilot" };
    return { path: file.replace(/^\$\w+/, (name) => home[name as keyof typeof home]), member };
  });
  const servers = fc.dictionary(fc.constantFrom("files", "git hub", "a.b", "-x"), server, { minKeys: 1, maxKeys: 3 });
  return fc
    .record({ kind: fc.constantFrom(...kinds), servers, comment: plain, isFlow: fc.boolean(), damage })
    .map((it) => {
      const entries = Object.entries(it.servers).map(([name, each]) => [name, spelled(id, each)] as const);
      const held =
        id === "continue" ? entries.map(([name, entry]) => ({ name, ...entry })) : Object.fromEntries(entries);
      const { path, member } = it.kind;
      const whole = member.reduceRight<unknown>((inner, name) => ({ apiKey: it.comment, [name]: inner }), held);
      const commands = Object.values(it.servers).flatMap((each) =>
        each.isRemote ? [] : [[...each.program, ...each.args]],
      );
      const text = written(path, member, whole, entries, it.comment, it.isFlow);
      return { path, text, broken: it.damage(text), commands };
    });
}

function written(
  path: string,
  member: readonly string[],
  whole: unknown,
  entries: readonly (readonly [name: string, entry: Record<string, unknown>])[],
  comment: string,
  isFlow: boolean,
): string {
  if (path.endsWith(".toml")) {
    const sections = entries.map(([name, entry]) => {
      const lines = Object.entries(entry).map(
        ([key, value]) => `${tomlKey(key)} = ${flowText("toml", value as string)}`,
      );
      return `[${[...member, name].map(tomlKey).join(".")}] # ${comment}\n${lines.join("\n")}\n`;
    });
    return `api_key = "${comment}"\n${sections.join("\n")}`;
  }
  if (path.endsWith(".yaml")) {
    const style = { collectionStyle: isFlow ? "flow" : "block", lineWidth: 0, aliasDuplicateObjects: false } as const;
    return `# ${comment}\n${stringify(whole, style)}`;
  }
  return `// ${comment}\n${JSON.stringify(whole, null, isFlow ? 0 : 2)}`;
}
