import { execFileSync, spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { agentprint } from "../guard-cost/programs.ts";
import type { FeatureRow, Installed, ProgramRow } from "./compared.ts";
import { installedWith, versionOf } from "./installed.ts";
import { evaluate, startsOf } from "./starts.ts";

const LAB = fileURLToPath(new URL("..", import.meta.url));

/** Counts the distributions in a Python environment, except installers, and the kilobytes of their files. */
const SIZES_OF_DISTRIBUTIONS = `
import importlib.metadata as metadata, os
found = [d for d in metadata.distributions() if d.metadata["Name"] not in ("pip", "setuptools", "wheel")]
sizes = [os.path.getsize(f.locate()) for d in found for f in d.files or [] if os.path.isfile(f.locate()) and "__pycache__" not in str(f)]
print(len(found), round(sum(sizes) / 1024))
`;

/**
 * Measures the start-up time and the size of programs that detect a changed server; `python` is a Python with mcp-pin.
 */
export function comparePrograms(python: string, mcpPinVersion: string): ProgramRow[] {
  const [bare = 1, ours = 0, theirs = 0, ai = 0] = startsOf(python, [
    evaluate("0"),
    agentprint("--help"),
    [mcpPin(python), "--help"],
    evaluate('import "ai"'),
  ]);
  const sizes = execFileSync(python, ["-c", SIZES_OF_DISTRIBUTIONS], { encoding: "utf8" });
  const [packages = 0, kilobytes = 0] = sizes.split(" ").map(Number);
  const row = (
    name: string,
    version: string,
    runs: string,
    milliseconds: number,
    installed: Installed,
  ): ProgramRow => ({
    name,
    version,
    runs,
    start: milliseconds / bare,
    installed,
  });
  return [
    row("agentprint", versionOf("agentprint", LAB), "`agentprint --help`", ours, installedWith("agentprint", LAB)),
    row("mcp-pin", mcpPinVersion, "`mcp-pin --help`", theirs, { packages, kilobytes }),
    row("ai", versionOf("ai", LAB), '`import "ai"`', ai, installedWith("ai", LAB)),
  ];
}

function mcpPin(python: string): string {
  return join(dirname(python), "mcp-pin");
}

/**
 * The words by which a command's help or its list of rules shows a feature; at least one of the two commands has each
 * feature.
 */
const FEATURES: readonly (readonly [feature: string, agentprint: RegExp, mcpPin: RegExp])[] = [
  ["proxy that enforces the lock at run time", /^ {2}guard\b/m, /^ {4}guard\b/m],
  ["limits for arguments of calls", /--policy\b/, /argument limits/],
  ["report as SARIF", /sarif/i, /sarif/i],
  ["report as JUnit, Markdown, for GitHub and GitLab", /junit[\s\S]*gitlab/i, /junit[\s\S]*gitlab/i],
  ["tamper-evident log for audits", /trail/i, /verify-log/],
  ["log anchored by signed checkpoints with witnesses", /witness/i, /witness/i],
  ["contents of text resources and plain prompts pinned", /contents of visits/, /--contents/],
  ["judged by the policy of the base of a pull request", /--base\b/, /--base\b/],
  ["scan for attack patterns before anything was approved", /scan for findings/i, /scan for findings/i],
  ["skill files (`SKILL.md`) read, too", /SKILL\.md/, /SKILL\.md/],
  ["source code of servers read", /--source\b|server source/i, /server source/i],
  ["texts judged by a language model", /--llm/, /--llm/],
  ["one endpoint in front of all servers", /gateway/i, /gateway/i],
  ["several identities, each with its own rights", /--as IDENTITY/, /--as IDENTITY/],
  ["budget of calls in a session", /--max-calls/, /--max-calls/],
  ["sampling and elicitation refused by the proxy", /guard\/sampling-request/, /--deny-sampling/],
  ["invisible text reported", /mcp\/hidden-text/, /Invisible characters/],
  ["names that two servers share", /mcp\/look-alike-name/, /same tool name/],
  ["a call that proves that a schema breaks callers", /a result that proves it/, /a result that proves it/],
  ["instructions to agents recognized by their wording", /Agent-directed/, /Agent-directed/],
  ["credentials in the configurations of clients", /Credential stored/, /Credential stored/],
  ["results of calls screened for attacks", /--screen\b/, /--result-policy/],
  ["artifacts of package registries verified", /--require-integrity/, /--require-integrity/],
];

/** Looks for each feature in the help of both commands and of all their subcommands, and in their lists of rules. */
export function compareFeatures(python: string): FeatureRow[] {
  const [node = "", ...rules] = agentprint("rules");
  const ours = helpOf(agentprint(), /^ {2}([a-z-]+)\b/gm, 2) + execFileSync(node, rules, { encoding: "utf8" });
  const theirs =
    helpOf([mcpPin(python)], /^ {4}([a-z-]+)\b/gm, 1) + execFileSync(mcpPin(python), ["rules"], { encoding: "utf8" });
  return FEATURES.map(([feature, agentprintSays, mcpPinSays]) => ({
    feature,
    agentprint: agentprintSays.test(ours),
    mcpPin: mcpPinSays.test(theirs),
  }));
}

/** Returns the help of a command and of its subcommands down to the given number of levels. */
function helpOf(words: readonly string[], commands: RegExp, levels: number): string {
  const [program = "", ...args] = [...words, "--help"];
  const env = { ...process.env, COLUMNS: "200" };
  const { status, stdout: help } = spawnSync(program, args, { encoding: "utf8", env });
  // The matched name was not a command, but an example, an argument or a word in a sentence.
  if (status !== 0) return "";
  if (levels === 0) return help;
  const names = new Set([...help.matchAll(commands)].map(([, name]) => String(name)));
  return [help, ...Array.from(names, (name) => helpOf([...words, name], commands, levels - 1))].join("\n");
}
