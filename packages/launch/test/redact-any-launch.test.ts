import { runs } from "@agentprint/testing/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Launch } from "../src/index.ts";
import { redactLaunch } from "../src/redact/index.ts";
import { marked } from "./marked-secrets.ts";

const stdio = (...args: string[]): Launch => ({ type: "stdio", command: "npx", args, env: [] });
const http = (url: string): Launch => ({ type: "http", url, headers: [] });
const ref = (name: string): string => `\${${name}}`;

const inert = fc.constantFrom(..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.~+/=!*-");
/** Returns whether a value looks like a file name, which `OPENAI_KEY` and similar names may have as their value. */
const isFile = (text: string): boolean => /[.](?:[a-z]{2,4}|[cm]?[jt]s|p12)$/i.test(text);
const secret = fc
  .tuple(fc.constantFrom(..."abcxyzABCXYZ0189"), fc.array(inert, { minLength: 7, maxLength: 30 }))
  .map(([first, rest]) => `${first}${rest.join("")}`)
  .filter((text) => !isFile(text) && !text.endsWith("="));
const userInformation = fc.stringMatching(/^[a-z][A-Za-z0-9!*_.~+=-]{7,30}$/);
/**
 * Text without an assignment, because an assignment's name, such as `ajw._T=`, can look like a secret's name by chance.
 */
const plain = fc.stringMatching(/^[a-z][A-Za-z0-9!*_.~+-]{7,30}$/);
const name = fc.constantFrom("API_KEY", "PGPASSWORD", "OPENAI_KEY", "github_token", "clientSecret", "DB-PASSWORD");
const flag = name.map((text) => `--${text.toLowerCase().replaceAll("_", "-")}`);
const word = fc.constantFrom(
  "node",
  "exec",
  "good.mjs",
  "--verbose",
  "-y",
  "--root",
  "/srv",
  "touch",
  "x",
  "@acme/server@1.2",
);
const words = fc.array(word, { minLength: 1, maxLength: 4 }).map((texts) => texts.join(" "));
const operator = fc.constantFrom("; ", " && ", " | ", "\n", " ");

/** One or two arguments with a marked secret between text that is not secret. */
const constructs = fc.oneof(
  fc.tuple(name, secret, operator, words).map(([n, s, o, w]) => ["-c", `${n}=«${s}»${o}${w}`]),
  fc.tuple(words, name, secret, operator, words).map(([v, n, s, o, w]) => ["-c", `${v}; ${n}='«${s}»'${o}${w}`]),
  fc.tuple(words, name, secret, words).map(([v, n, s, w]) => ["-c", `bash -c "${v}; ${n}='«${s}»' ${w}" && ${v}`]),
  fc.tuple(words, flag, secret, words).map(([v, n, s, w]) => ["-c", `${v}; server ${n} «${s}» ${w}`]),
  fc.tuple(flag, secret).map(([n, s]) => [n, `«${s}»`]),
  fc.tuple(flag, secret).map(([n, s]) => [`${n}=«${s}»`]),
  fc.tuple(name, secret).map(([n, s]) => ["-e", `${n}=«${s}»`]),
  fc.tuple(name, secret).map(([n, s]) => [`--env=${n}=«${s}»`]),
  fc.tuple(secret, words).map(([s, w]) => ["-c", `curl -H "Authorization: Bearer «${s}»" https://x.test; ${w}`]),
  fc.tuple(secret, words).map(([s, w]) => ["--header", `X-API-Key: «${s}»`, "--title", w]),
  fc.tuple(name, secret, words).map(([n, s, w]) => ["--config", `{"script":"${w}","${n}":"«${s}»","x":{"y":"${w}"}}`]),
  fc
    .tuple(fc.constantFrom("https", "postgresql", "redis+tls"), userInformation, userInformation, plain)
    .map(([scheme, u, s, p]) => [`--url=${scheme}://${u}:«${s}»@good.example/${p}?q=${p}#${p}`]),
  fc
    .tuple(
      name,
      userInformation.filter((text) => !isFile(text)),
    )
    .map(([n, s]) => [`https://good.example/mcp?profile=a&${n}=«${s}»&x=y#top`]),
);
const anyLaunch = fc
  .array(
    fc.oneof(
      constructs,
      words.map((text) => [text]),
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((args) => args.flat());

describe("redaction hides changes of secrets only", () => {
  test("each marked secret is replaced, and nothing else", () => {
    fc.assert(
      fc.property(anyLaunch, (args) => {
        const texts = args.map(marked);
        expect(redactLaunch(stdio(...texts.map(({ given }) => given)))).toEqual(
          stdio(...texts.map(({ redacted }) => redacted)),
        );
      }),
      { numRuns: runs(300) },
    );
  });

  test("any edit outside of the secrets changes the redacted launch", () => {
    const edit = fc.record({
      at: fc.nat(),
      remove: fc.nat({ max: 6 }),
      insert: fc.oneof(
        fc.constantFrom(..." ;&|<>()$`\\\"'{}\n\t@/?#:=-"),
        fc.constantFrom("evil", "; evil", "$(evil)", "' evil '", '"', "\\"),
      ),
    });
    fc.assert(
      fc.property(anyLaunch, fc.nat(), edit, (args, which, { at, remove, insert }) => {
        const index = which % args.length;
        const arg = args[index] ?? "";
        // The characters outside the marks, and their positions.
        const start = at % (arg.length + 1);
        const end = Math.min(arg.length, start + remove);
        const open = arg.lastIndexOf("«", start - 1);
        const inSecret = open !== -1 && arg.indexOf("»", open) >= start;
        fc.pre(!inSecret && !/[«»]/.test(arg.slice(start, end)));
        // A character that a secret may contain makes the secret longer when it is inserted at either end.
        fc.pre(!arg.slice(0, start).endsWith("»") || /^[\s;&|<>()$`\\"'{}]/.test(insert));
        fc.pre(!arg.slice(end).startsWith("«") || /[\s;&|<>()$`\\"'{}]$|^$/.test(insert));
        const edited = `${arg.slice(0, start)}${insert}${arg.slice(end)}`;
        fc.pre(edited !== arg);
        // So does a doubled sign next to a secret: only the first `=` of `==` ends the name.
        fc.pre(!/(.)\1«|»(.)\2/.test(edited));
        const given = args.map((text) => marked(text).given);
        const changed = given.with(index, marked(edited).given);
        expect(redactLaunch(stdio(...changed))).not.toEqual(redactLaunch(stdio(...given)));
      }),
      { numRuns: runs(750) },
    );
  });

  const piece = fc.oneof(
    fc.constantFrom(
      ...[
        "https://",
        "@",
        "/",
        "?",
        "#",
        "&",
        ";",
        "=",
        ":",
        "-",
        " ",
        "x",
        "host",
        "token",
        "--token",
        "Authorization: ",
      ],
      ...[
        "Bearer ",
        "Basic ",
        `sk-${"a".repeat(20)}`,
        `eyJ${"a".repeat(8)}.a.b`,
        ref("env:T"),
        "<redacted>",
        "'",
        '"',
        "\\",
      ],
      ...[
        "API_KEY=",
        "${",
        "}",
        "$(",
        ")",
        "`",
        "%",
        ",",
        "\n",
        "-e",
        "-H",
        "--env",
        "{",
        "key",
        '"token"',
        "./",
        ".pem",
        "$",
      ],
    ),
    fc.string({ maxLength: 3 }),
  );
  const anyArgument = fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join(""));
  const hostile = fc.oneof(
    fc.array(anyArgument, { maxLength: 3 }).map((args) => stdio(...args)),
    anyArgument.map(http),
  );

  test("redacting a redacted launch changes nothing", () => {
    fc.assert(
      fc.property(hostile, (launch) => {
        const redacted = redactLaunch(launch);
        expect(redactLaunch(redacted)).toEqual(redacted);
      }),
      { numRuns: runs(750), examples: [[stdio("https://Bearer a/b c@host")]] },
    );
  });

  test("structure is never replaced", () => {
    const structure = (text: string): string => text.replaceAll("<redacted>", "").replace(/[^\s;&|<>()$`\\"'{}]/g, "");
    fc.assert(
      fc.property(fc.array(anyArgument, { maxLength: 3 }), (args) => {
        const redacted = redactLaunch(stdio(...args));
        expect(redacted.type === "stdio" && redacted.args.map(structure)).toEqual(args.map(structure));
      }),
      { numRuns: runs(400) },
    );
  });
});

test("a text that is made to slow down the search takes time in proportion to its length", () => {
  const pieces = [
    "eyJ-",
    "eyJ.",
    "eyJaaaaaaaa.",
    "?a",
    "&=",
    ";",
    "Bearer ",
    "sk-",
    "--token=",
    "a-key",
    "token=",
    "key=./",
    "?token=",
  ];
  pieces.push(
    "'",
    '"',
    "\\",
    "\\'",
    "${",
    "$(",
    "`",
    "%A",
    "https://",
    "a:",
    "@",
    '"token":"',
    "--token ",
    "<redacted>",
    "token,",
  );
  pieces.push(
    "-----BEGIN PRIVATE KEY-----",
    "xoxb-",
    "1234567890:AA",
    "API_KEY='",
    "${TOKEN:-",
    "tokens=a,",
    " = ",
    "M.",
  );
  for (const text of pieces) expect(redactLaunch(stdio(text.repeat(10_000)))).toMatchObject({ type: "stdio" });
});
