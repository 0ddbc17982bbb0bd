import type { Launch } from "@agentprint/launch";
import { isRedacted, redactLaunch } from "@agentprint/launch/redact";
import fc from "fast-check";
import { expect, test } from "vitest";
import { wordsOfLaunch } from "../../src/launch/launch-secrets.ts";
import { pinAgainLine, withSecretReferences } from "../../src/launch/secret-references.ts";
import { expandLaunch, targetFromEnvironment } from "../../src/launch/server-target.ts";
import { partsOf } from "../../src/launch/variables.ts";
import { memoryContext } from "../support/run-cli.ts";

const stdio = (...[command = "", ...args]: string[]): Launch => ({ type: "stdio", command, args, env: [] });
const http = (url: string): Launch => ({ type: "http", url, headers: [] });
const S = "hunter2hunter2";

function referencesIn(server: string, launch: Launch): string[] {
  return wordsOfLaunch(withSecretReferences(server, redactLaunch(launch)).launch).filter((word) =>
    word.includes(`\${env:`),
  );
}

test.each<[string, Launch, string[]]>([
  ["figma", stdio("npx", "figma-mcp", `--figma-api-key=${S}`), [`--figma-api-key=\${env:FIGMA_API_KEY}`]],
  ["sentry", stdio("npx", "@sentry/mcp", "--access-token", S), [`\${env:SENTRY_ACCESS_TOKEN}`]],
  ["sentry", stdio("npx", "@sentry/mcp", `--accessToken=${S}`), [`--accessToken=\${env:SENTRY_ACCESS_TOKEN}`]],
  [
    "mongodb",
    stdio("npx", "mongodb-mcp", "--connectionString", `mongodb://user:${S}@db.example/x`),
    [`mongodb://user:\${env:MONGODB_PASSWORD}@db.example/x`],
  ],
  ["api", stdio("npx", "x", "-H", `Authorization: Bearer ${S}`), [`Authorization: Bearer \${env:API_AUTHORIZATION}`]],
  ["gh", stdio("docker", "run", "-e", `GITHUB_TOKEN=${S}`, "image"), [`GITHUB_TOKEN=\${env:GITHUB_TOKEN}`]],
  ["gh", stdio("sh", "-c", `API_KEY=${S} node server.js`), [`API_KEY=\${env:API_KEY} node server.js`]],
  ["my server", stdio("x", `{"apiKey":"${S}","n":1}`), [`{"apiKey":"\${env:MY_SERVER_API_KEY}","n":1}`]],
  ["brave-search", stdio("x", "--brave-api-key", S), [`\${env:BRAVE_API_KEY}`]],
  ["api-gateway", stdio("x", "--api-key", S), [`\${env:API_GATEWAY_API_KEY}`]],
  ["4u", stdio("x", "--token", S), [`\${env:MCP_4U_TOKEN}`]],
  ["übersetzer", stdio("x", "--token", S), [`\${env:BERSETZER_TOKEN}`]],
  ["地図", stdio("x", "--token", S), [`\${env:MCP_TOKEN}`]],
  [
    "x",
    stdio("x", `--a-token=${S}`, `--a-token=${S}`),
    [`--a-token=\${env:X_A_TOKEN}`, `--a-token=\${env:X_A_TOKEN_2}`],
  ],
  ["x", stdio("x", `\${env:X_TOKEN}`, "--token", S), [`\${env:X_TOKEN}`, `\${env:X_TOKEN_2}`]],
  ["x", stdio("x", "--token=ab;cd|ef"), [`--token=\${env:X_TOKEN}`]],
  ["x", stdio("x", `\${env:X_KEY:-${S}}`, "--password", `\${PW:-${S}}`), [`\${env:X_KEY}`, `\${env:PW}`]],
  ["x", stdio("x", `ghp_${"a1B2c3D4".repeat(5)}`), [`\${env:X_SECRET}`]],
  ["x", http(`https://a.example/mcp?api_key=${S}&v=1`), [`https://a.example/mcp?api_key=\${env:X_API_KEY}&v=1`]],
  ["x", http(`https://u:${S}@a.example/mcp`), [`https://u:\${env:X_PASSWORD}@a.example/mcp`]],
])("%s: %j", (server, launch, expected) => {
  expect(referencesIn(server, launch)).toEqual(expected);
});

/** Words that contain a secret, in each form that a launch allows. */
const forms: readonly ((secret: string) => readonly string[])[] = [
  (secret) => [`--api-key=${secret}`],
  (secret) => ["--password", secret],
  (secret) => ["-e", `SERVICE_TOKEN=${secret}`],
  (secret) => ["--header", `X-Api-Key: ${secret}`],
  (secret) => [`postgres://me:${secret}@db.example:5432/x?sslmode=off`],
  (secret) => [`https://a.example/?token=${secret}&b=1#c`],
  (secret) => [`{"client_secret": "${secret}", "id": 5}`],
  (secret) => [`\${env:OLD_TOKEN:-${secret}}`],
  (secret) => [`run --token ${secret} --verbose`],
  () => ["plain", "--port=80", `\${env:HOME}`, "$HOME"],
];
const secrets = fc.oneof(
  fc.string({ minLength: 1, maxLength: 20 }),
  fc.string({ unit: fc.constantFrom(..."ab1$;&|{}\"'\\ <>()`%-_.,:@/?#="), minLength: 1, maxLength: 20 }),
  fc.constant(S),
);
const launches = fc
  .tuple(
    fc.constantFrom("npx", "docker", "sh"),
    fc.array(fc.tuple(fc.constantFrom(...forms), secrets), { maxLength: 6 }),
  )
  .map(([command, words]) => stdio(command, ...words.flatMap(([form, secret]) => form(secret))));

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

test("a lock keeps each launch with references as it is, and the references with what was left out are the launch", () => {
  fc.assert(
    fc.property(launches, (launch) => {
      const redacted = redactLaunch(launch);
      const { launch: referencing, references } = withSecretReferences("server", redacted);
      expect(isRedacted(referencing)).toBe(false);
      expect(redactLaunch(referencing)).toEqual(referencing);
      const variables = new Set(references.map(({ variable }) => variable));
      for (const variable of variables) expect(variable).toMatch(/^[A-Za-z_]\w*$/);
      expect(references.length > 0).toBe(isRedacted(redacted));
      const written = wordsOfLaunch(launch);
      wordsOfLaunch(referencing).forEach((word, index) => {
        // A default is dropped together with its reference, whose variable has the same value.
        if (written[index]?.includes(":-")) return;
        const pattern = partsOf(word).map((part) =>
          typeof part !== "string" && variables.has(part.variable ?? "")
            ? "[\\s\\S]*"
            : escaped(typeof part === "string" ? part : part.text),
        );
        expect(written[index]).toMatch(new RegExp(`^${pattern.join("")}$`));
      });
    }),
    { examples: [[stdio("npx", '{"client_secret": "a":", "id": 5}')]] },
  );
});

test("with the variables set, the launch is the given one", () => {
  const given = stdio(
    "npx",
    "x",
    `--api-key=${S}1`,
    `mongodb://u:${S}2@h.example`,
    "-H",
    `Authorization: Bearer ${S}3`,
  );
  const { launch, references } = withSecretReferences("db", redactLaunch(given));
  const env = Object.fromEntries(references.map(({ variable }, index) => [variable, `${S}${index + 1}`]));
  const context = memoryContext([], { env });
  expect(expandLaunch(context, targetFromEnvironment(context, "db", launch))).toEqual(given);
});

test("only bounded text is searched for names", () => {
  const launch: Launch = stdio("x", `${"a=".repeat(100_000)}<redacted>`, `${"<redacted> ".repeat(10_000)}`);
  expect(withSecretReferences("x", launch).references.length).toBeGreaterThan(0);
});

test("the line has the options of the visit", () => {
  const given = {
    lock: "a b.lock",
    as: "cursor",
    capabilities: { roots: {} },
    account: "admin",
    allowUnstable: ["/tools/_meta/id"],
  };
  const options = `agentprint pin --replace --name s --lock 'a b.lock' --as cursor --capabilities '{"roots":{}}' --account admin --allow-unstable /tools/_meta/id`;
  expect(pinAgainLine("s", { ...stdio("node", "a.js"), env: ["HOME"] } as Launch, given)).toBe(
    `${options} --env HOME -- node a.js`,
  );
  expect(pinAgainLine("s", { type: "http", url: `https://a.example/?t=\${env:T}`, headers: ["X-A"] })).toBe(
    `agentprint pin --replace --name s --header X-A --url 'https://a.example/?t=\${env:T}'`,
  );
});
