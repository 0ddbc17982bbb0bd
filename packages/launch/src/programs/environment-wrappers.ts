import { type GrammarText, grammar, readOptions } from "../options.ts";
import type { ReadProgram } from "../reader.ts";
import { wrapper } from "./wrappers.ts";

const DOPPLER = {
  flags: "--debug --json --no-check-version --no-read-env --no-timeout --no-verify-tls --print-config --silent",
  values:
    "-t --token --api-host --attempts --config-dir --configuration --dashboard-host --dns-resolver-address --dns-resolver-proto --dns-resolver-timeout --scope --timeout",
  optional: "--preserve-env",
} satisfies GrammarText;
const OP = {
  flags: "--cache --debug --iso-timestamps --no-color",
  values: "--account --config --encoding --format --session --environment",
} satisfies GrammarText;
const FNM = {
  flags: "--corepack-enabled --resolve-engines",
  values: "--log-level --arch --version-file-strategy",
  roles: { gap: "--node-dist-mirror --fnm-dir --multishell-path" },
} satisfies GrammarText;
const POETRY = {
  flags: "-q --quiet -v --verbose -n --no-interaction --ansi --no-ansi --no-plugins --no-cache",
  values: "-P --project",
  roles: { folder: "-C --directory" },
} satisfies GrammarText;

/** https://www.npmjs.com/package/dotenv-cli */
const NPM_DOTENV = {
  flags: "-o --override --debug --quiet --no-expand",
  gapFlags: "-p",
  roles: { envFile: "-e", variable: "-v", gap: "-c" },
} satisfies GrammarText;
/** https://pypi.org/project/python-dotenv */
const PYTHON_DOTENV = {
  values: "-q --quote -e --export",
  roles: { envFile: "-f --file" },
} satisfies GrammarText;
const runNpmDotenv = wrapper(NPM_DOTENV);
const runPythonDotenv = wrapper({
  ...PYTHON_DOTENV,
  verbs: ["run"],
  behindVerb: { flags: "--override --no-override" },
});

/** Reads `dotenv`, a name that two programs share; only Python's has a verb. */
const dotenv: ReadProgram = (reader, call) => {
  const read = readOptions(call.words, grammar(NPM_DOTENV));
  const known = reader.envFiles.length;
  const isPython = read.unread !== undefined || (read.rest[0]?.text === "run" && !read.isEnded);
  (isPython ? runPythonDotenv : runNpmDotenv)(reader, call);
  if (reader.envFiles.length === known) reader.envFiles.push({ path: ".env" });
};

/** Programs that set variables or choose versions for the command after them. */
export const ENVIRONMENT_WRAPPERS: Readonly<Record<string, ReadProgram>> = {
  /** https://www.npmjs.com/package/cross-env */
  "cross-env": wrapper({ assigns: true }),
  /** npm's dotenv-cli; Python's program has a verb: https://pypi.org/project/python-dotenv */
  dotenv,
  /** https://docs.doppler.com/reference/doppler-cli */
  doppler: wrapper({
    ...DOPPLER,
    verbs: ["run"],
    behindVerb: {
      ...DOPPLER,
      flags: `${DOPPLER.flags} --no-cache --no-fallback --fallback-only --fallback-readonly --no-exit-on-write-failure --forward-signals --watch`,
      values: `${DOPPLER.values} -p --project -c --config --passphrase --mount --mount-format --mount-template --mount-max-reads --name-transformer --only-secrets --secrets`,
      roles: { script: "--command", envFile: "--fallback" },
    },
  }),
  /** https://developer.1password.com/docs/cli/reference/commands/run */
  op: wrapper({
    ...OP,
    verbs: ["run"],
    behindVerb: { ...OP, flags: `${OP.flags} --no-masking`, roles: { envFile: "--env-file" } },
  }),
  /** https://docs.volta.sh/reference/run */
  volta: wrapper({
    flags: "--verbose --quiet",
    verbs: ["run"],
    behindVerb: {
      flags: "--verbose --quiet --bundled-npm --no-yarn --no-pnpm",
      values: "--node --npm --pnpm --yarn",
      roles: { variable: "--env" },
    },
  }),
  /** https://github.com/Schniz/fnm/blob/master/docs/commands.md */
  fnm: wrapper({
    ...FNM,
    verbs: ["exec"],
    behindVerb: { ...FNM, values: `${FNM.values} --using` },
  }),
  /** https://docs.conda.io/projects/conda/en/stable/commands/run.html */
  conda: wrapper({
    verbs: ["run"],
    behindVerb: {
      flags: "-v --verbose --dev --debug-wrapper-scripts --no-capture-output --live-stream",
      values: "-n --name -p --prefix",
      roles: { folder: "--cwd" },
    },
    hasOwnPrograms: true,
  }),
  /** https://python-poetry.org/docs/cli */
  poetry: wrapper({ ...POETRY, verbs: ["run"], behindVerb: POETRY, hasOwnPrograms: true }),
  /** https://github.com/sparfenyuk/mcp-proxy; an option with a value of two words is not supported. */
  "mcp-proxy": wrapper({
    flags: "--debug --no-debug --pass-environment --no-pass-environment --stateless --no-stateless",
    values:
      "--port --host --sse-port --sse-host --allow-origin --transport --log-level --client-id --client-secret --token-url",
    roles: { folder: "--cwd", gap: "-e --env -H --headers --named-server --named-server-config" },
    hasInnerDashes: true,
  }),
};
