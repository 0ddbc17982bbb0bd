import { describe, expect, test } from "vitest";
import type { Launch } from "../src/index.ts";
import { isRedacted, redactLaunch } from "../src/redact/index.ts";
import { marked } from "./marked-secrets.ts";

const stdio = (...args: string[]): Launch => ({ type: "stdio", command: "npx", args, env: [] });
const http = (url: string): Launch => ({ type: "http", url, headers: [] });
const ref = (name: string): string => `\${${name}}`;

const SECRET = "hunter2";

/** Arguments with their secrets between « and »: everything else must be kept. */
const CASES: readonly (readonly [name: string, ...args: string[]])[] = [
  ["a variable before a command", "-c", "API_KEY=«hunter2» exec node good.mjs"],
  ["what a shell runs next", "-c", "API_KEY=«hunter2»;exec node good.mjs & PASSWORD=«hunter2»|cat"],
  ["a variable between quotes", "-c", "PGPASSWORD='«hunter2»' psql; DB_PASSWORD=\"«hunter2»\" psql"],
  ["structure between quotes", "-c", "PGPASSWORD='«hunter2» «hunter2»;$(«hunter2»' psql"],
  ["a shell in a shell", "-c", `bash -c "API_KEY='«hunter2» «hunter2»' exec node good.mjs"`],
  ["quotes that are escaped", "-c", 'bash -c "API_KEY=\\"«hunter2»\\" exec node \\"good.mjs\\""'],
  ["a quote that closes", "-c", 'echo "API_KEY="; node good.mjs; echo "x"'],
  ["a quote that never closes", "-c", 'API_KEY="«hunter2» exec node good.mjs'],
  ["doubtful quotes", "-c", "echo 'a\\'; echo 'TOKEN='; node good.mjs; echo 'x'"],
  ["a backslash", "-c", "API_KEY=«hunter2»\\ exec node good.mjs"],
  ["a command in place of a value", "-c", "API_KEY=$(cat key) A_TOKEN=`cat token` B_TOKEN=$KEY exec node good.mjs"],
  ["a line behind", "-c", "export API_KEY=«hunter2»\nnode good.mjs"],
  ["cmd", "/c", "set API_KEY=«hunter2»&& node good.mjs"],
  ["PowerShell", "-Command", "$env:API_KEY='«hunter2»'; node good.mjs"],
  ["JavaScript", "-e", "process.env.API_KEY = '«hunter2»'; import('./good.mjs')"],
  ["Python", "-c", `os.environ["API_KEY"] = "«hunter2»"; import good`],
  ["a Ruby hash", "-e", `run("token" => "«hunter2»", "script" => "good")`],
  ["a flag in a command line", "-c", "server --token «hunter2» --verbose; node good.mjs"],
  ["a flag before a command", "-c", "server --token; node good.mjs"],
  ["a flag with a value", "--api-key", "«hunter2»", "--root", "/srv"],
  ["a value that begins with a dash", "--token", "«-hunter2»"],
  ["a flag without a value", "--token", "--verbose", "--password", "-v", "--secret", "--", "x"],
  ["structure in a value", "--token", "«hunter2»; «hunter2» «hunter2»"],
  ["a flag with =", "--token=«hunter2»", "--password=«hunter2» «hunter2»", "-token=«hunter2»"],
  ["a variable", "PASSWORD=«hunter2»", "OPENAI_KEY=«hunter2»", "DBPASS=«hunter2»", "SECRET_KEY_BASE=«hunter2»"],
  ["names in camel case", "--apiKey", "«hunter2»", "--openAIAPIKey=«hunter2»", "authToken2=«hunter2»"],
  ["a variable of --env", "--env=API_KEY=«hunter2» «hunter2»", "--env", "API_KEY=«hunter2»"],
  [
    "a list of variables",
    "--env=API_KEY=«hunter2»,SCRIPT=good.mjs",
    "--set-env-vars=API_KEY=«hunter2»,SCRIPT=good.mjs",
  ],
  ["keys in a list", "API_KEYS=«hunter2»,«hunter2»"],
  ["a header", "--header=X-API-Key: «hunter2»", "-H", "X-API-Key:«hunter2» «hunter2»", "-HX-API-Key: «hunter2»"],
  ["an authorization", "-H", "Authorization: Bearer «hunter2»", "--header", "Authorization: Basic «hunter2»"],
  ["headers in a command line", "-c", `curl -H "Authorization: Bearer «hunter2»" -H 'X-API-Key: «hunter2»' https://x`],
  ["Bearer, up to its quote", "-c", `call "Bearer «hunter2»"; node good.mjs`],
  ["JSON", "--config", '{"apiKey":"«hunter2»","args":["good.mjs"],"pin":{"password": «12»}}'],
  ["JSON in quotes", "-c", `server --config '{"apiKey":"«hunter2»","script":"good.mjs"}'`],
  [
    "JSON with escapes",
    "--config",
    '{"api\\u004bey":"«hunter2»\\"«hunter2»","headers":{"Authorization":"Bearer «hunter2»"}}',
  ],
  ["JSON in JSON", "--config", '{"x":"{\\"apiKey\\":\\"«hunter2»\\",\\"script\\":\\"good.mjs\\"}"}'],
  ["a password of a URL", "https://me:«hunter2»@x.test/mcp", "--database-url=postgresql://u:«hunter2»@h/db"],
  [
    "URLs of variables and flags",
    "DATABASE_URL=mysql://u:«hunter2»@h",
    "--proxy=http://u:«hunter2»@h",
    "redis://:«hunter2»@h",
  ],
  [
    "a user without a password",
    "https://«hunter2»@x.test",
    "https://«hunter2»:x-oauth-basic@x.test",
    "https://«hunter2»:@x.test",
  ],
  ["delimiters in user information", "https://u:«p»%2F«hunter2»%5c«q»@«hunter2»@x.test"],
  ["a backslash in an address", "https://good.example\\@x.test", "https://good.example\\u:p@x.test/@y"],
  ["two addresses", '{"a":"https://x","b":"me:y@h"}', "['https://x','me:y@h']"],
  ["references in user information", `postgres://${ref("env:USER")}:${ref("env:PASSWORD")}@db.test`],
  [
    "parameters",
    "https://x.test/?access_token=«hunter2»&q=good&sig=«hunter2»#good",
    "https://x.test/?key=«hunter2»&q=d",
  ],
  ["percent-encoded names", "https://x.test/?api%5Fkey=«hunter2»&%74oken=«hunter2»&%2574oken=«hunter2»"],
  [
    "a connection string",
    "Server=h;User Id=sa;Password=«hunter2»;Database=good",
    "AccountKey=«hunter2==»;EndpointSuffix=x",
  ],
  [
    "next to a reference",
    "--token",
    `${ref("env:A")}«hunter2»`,
    `--token=${ref("env:A:-«hunter2»")}`,
    ref("TOKEN:-«hunter2»"),
    "--token",
    "`cat key`«hunter2»",
    "--token",
    "`«hunter2»",
  ],
  [
    "a private key",
    `-----BEGIN RSA PRIVATE KEY-----\\n«hunter2/+=»\\n«hunter2»\n«hunter2»\n-----END RSA PRIVATE KEY-----`,
  ],
  [
    "ambiguous beginnings",
    "«sk-1a2b-3c4d-hunter-hunter»",
    `«sk-${"a".repeat(20)}»`,
    "sk-learn-something-longer-server",
  ],
  ["packages and images", "mcp-token==1.2.3", "acme/secret:1.2", "sk-learn-something-longer-server", "auth:8080"],
  ["switches", "--no-auth", "good.mjs", "--enable-token", "good.mjs", "--max-token", "5", "--public-key", "good"],
  ["plain words", "--auth", "none", "--auth", "good.mjs", "--key", "/etc/good.pem", "--keyring=x", "PWD=/srv"],
  ["prose", "--title", "Basic usage", "--about", "takes a bearer token", "if token == good", "--sort-key", "name"],
  ["paths", "-y", "@modelcontextprotocol/server-filesystem@2026.7.4", "/srv/a@b", "https://x.test/@me/mcp"],
  [
    "references",
    "--token",
    ref("env:TOKEN"),
    `--api-key=${ref("input:api-key")}`,
    "--token",
    "$TOKEN",
    "A_TOKEN=%TOKEN%",
  ],
  ["references in headers", "--header", `Authorization: Bearer ${ref("env:TOKEN")}`, `X-Api-Key: ${ref("input:key")}`],
];

describe("redactLaunch", () => {
  test.each(CASES)("%s", (_name, ...args) => {
    const texts = args.map(marked);
    const given = stdio(...texts.map((text) => text.given));
    const redacted = stdio(...texts.map((text) => text.redacted));
    expect(redactLaunch(given)).toEqual(redacted);
    expect(redactLaunch(redacted)).toEqual(redacted);
    expect(isRedacted(redactLaunch(given))).toBe(args.some((arg) => arg.includes("«")));
    expect(JSON.stringify(redactLaunch(given))).not.toContain(SECRET);
  });

  test("reads commands, folders and URLs, too", () => {
    const launch: Launch = {
      type: "stdio",
      command: "env API_KEY=hunter2 node",
      args: [],
      cwd: "/srv?token=hunter2",
      env: [],
    };
    expect(redactLaunch(launch)).toMatchObject({
      command: "env API_KEY=<redacted> node",
      cwd: "/srv?token=<redacted>",
    });
    expect(redactLaunch(http("https://x.test/mcp?token=hunter2&profile=a"))).toMatchObject({
      url: "https://x.test/mcp?token=<redacted>&profile=a",
    });
  });

  test("reads -e as a variable behind a runner of containers", () => {
    const launch: Launch = {
      type: "stdio",
      command: "docker",
      args: ["run", "-e", "API_KEY=hunter2 x", "-eB_KEY=c d"],
      env: [],
    };
    expect(redactLaunch(launch)).toMatchObject({
      args: ["run", "-e", "API_KEY=<redacted> <redacted>", "-eB_KEY=<redacted> <redacted>"],
    });
    expect(redactLaunch({ ...launch, command: "perl" })).toMatchObject({
      args: ["run", "-e", "API_KEY=<redacted> x", "-eB_KEY=<redacted> d"],
    });
  });

  test("keeps only names, sorted and each once", () => {
    expect(redactLaunch({ type: "stdio", command: "c", args: [], cwd: "/srv", env: ["B", "A", "B"] })).toEqual({
      type: "stdio",
      command: "c",
      args: [],
      cwd: "/srv",
      env: ["A", "B"],
    });
    expect(redactLaunch({ type: "http", url: "https://x.test/", headers: ["X-B", "X-A"] })).toMatchObject({
      headers: ["X-A", "X-B"],
    });
  });
});
