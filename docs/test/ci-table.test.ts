import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { REPOSITORY } from "./examples.ts";

/** A test that verifies a cell: a file below `apps/cli/test`, and a part of its name. */
type Held = readonly (readonly [file: string, name: string])[];

const INSTALLED: Held = [
  ["slow/hostile-checkout.test.ts", "in the workflow that init writes"],
  ["slow/hostile-checkout.test.ts", "in the workflow of the action"],
  ["slow/hostile-checkout.test.ts", "in the job of GitLab"],
  ["slow/hostile-checkout.test.ts", "in the workflow that pins again for Renovate"],
  ["nightly/ci-files.test.ts", "pre-commit installs the program of the template outside of a hostile checkout"],
  ["nightly/ci-files.test.ts", "pre-commit runs the hook where the lock is committed"],
];
/** A package is installed before the checkout is there, and none of its scripts is run. */
const CANNOT: Held = [["slow/hostile-checkout.test.ts", "in the workflow that init writes"]];
const OWN_JOB: Held = [
  [
    "base-commit/base-server.test.ts",
    "a server that rewrites lock, policy and Git while it is asked changes nothing of its own check",
  ],
  ["nightly/templates.test.ts", "pins updated servers again, and pushes the lock alone"],
];
const NO_COMMANDS: Held = [["ci/runner-commands.test.ts", "no line that a command prints is"]];
const WORKFLOW: Held = [
  ["nightly/templates.test.ts", "sets tools up before the checkout"],
  ["nightly/templates.test.ts", "is run again where the base is changed"],
  ["nightly/templates.test.ts", "gives secrets to no fork, and to no step but the check"],
];
const SCRIPT: Held = [
  [
    "base-commit/base-server.test.ts",
    "a script that a launch names runs in the version of the change, and its digest is drift",
  ],
  ["nightly/templates.test.ts", "gives secrets to no fork, and to no step but the check"],
];
const DRIFT: Held = [
  ["nightly/action.test.ts", "has the exit code of the command, and writes every report in one visit"],
];

/** The tests that verify the cells of a row: for a fork, a colleague, an author and a server. */
const HELD: Readonly<Record<string, readonly [fork: Held, colleague: Held, author: Held, server: Held]>> = {
  "the workflow": [WORKFLOW, WORKFLOW, CANNOT, OWN_JOB],
  "`agentprint.lock`: findings accepted, servers added or removed": asAFork(
    [
      ["base-commit/base-change.test.ts", "every format counts what the change approves, removes, adds and weakens"],
      [
        "base-commit/base.test.ts",
        "never fails the check, whatever the policy says, and added, removed and differently visited servers are reported",
      ],
      ["ci/fit-report.test.ts", "keeps the sentences of the head, however long a line before them is"],
    ],
    CANNOT,
    OWN_JOB,
  ),
  "`agentprint.lock`: a launch": asAFork(
    [
      ["base-commit/base.test.ts", "of the base are started, and no others"],
      ["slow/action-base.test.ts", "starts no launch that its base does not have, unless this is allowed"],
    ],
    CANNOT,
    OWN_JOB,
  ),
  "`agentprint.config.json`, the policy in the lock": asAFork(
    [
      ["base-commit/base.test.ts", "judges the findings, where the change weakens it together with the lock"],
      ["slow/action-base.test.ts", "is judged by the policy of its base"],
    ],
    CANNOT,
    OWN_JOB,
  ),
  "a client's configuration or an env file: a launch or a value": asAFork(
    [
      ["base-commit/base.test.ts", "of the base are started, and no others"],
      ["slow/base-values.test.ts", "have to be those of the base"],
      ["slow/base-values.test.ts", "have to be those of the base also in an env file that %s names"],
    ],
    CANNOT,
    OWN_JOB,
  ),
  "a variable that loads code (`NODE_OPTIONS`, `LD_PRELOAD`)": asAFork(
    [
      ["slow/base-values.test.ts", "are held back, wherever their values come from"],
      ["slow/base-values.test.ts", "are held back also where the change pins a server by version 1 of the lock"],
    ],
    CANNOT,
    OWN_JOB,
  ),
  "a script that a launch names": [SCRIPT, SCRIPT, SCRIPT, SCRIPT],
  "Git: a folder that looks like a repository, a link, a tag, a submodule": asAFork(
    [
      ["slow/git.test.ts", "is not a folder of the change that looks like one"],
      ["slow/git.test.ts", "is looked up by its name: a working directory that is a link is refused"],
      ["slow/git.test.ts", "is refused, whichever Git would take"],
      ["slow/git.test.ts", "is not a submodule, which the change can exchange"],
      ["slow/action-base.test.ts", "does not mistake a tag for the branch with the same name"],
      ["slow/action-base.test.ts", "runs nothing that a configuration of the change names when it fetches"],
      ["nightly/action.test.ts", "enters no folder through a link, and none outside of the checkout"],
    ],
    CANNOT,
    OWN_JOB,
  ),
  "`.npmrc`, `.yarnrc`, `package.json`, `node_modules/.bin`": asAFork(INSTALLED, INSTALLED, OWN_JOB),
  "what a server says": [[], [], DRIFT, DRIFT],
  "names and texts in logs and reports": asAFork(
    NO_COMMANDS,
    [
      ["slow/hostile-checkout.test.ts", "in the job of GitLab"],
      ["nightly/action.test.ts", "prints no output of npm that the runner would read as a command"],
    ],
    NO_COMMANDS,
  ),
};

function asAFork(fork: Held, author: Held, server: Held): [Held, Held, Held, Held] {
  return [fork, fork, author, server];
}

const PAGE = readFileSync(`${REPOSITORY}docs/ci.md`, "utf8");
const SECTION = PAGE.slice(PAGE.indexOf("## Who can do what"), PAGE.indexOf("## GitLab"));
const cellsOf = (line: string): string[] =>
  line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());

test("each cell of the table of who can do what is held by existing tests", () => {
  const [head = [], , ...rows] = SECTION.split("\n")
    .filter((line) => line.startsWith("|"))
    .map(cellsOf);
  expect(head).toEqual(["written by", "a fork", "a colleague", "an author", "a server"]);
  expect(rows.map(([row]) => row)).toEqual(Object.keys(HELD));
  for (const [row = "", ...cells] of rows) {
    expect(cells).toHaveLength(4);
    for (const [column, cell] of cells.entries()) {
      const tests = HELD[row]?.[column] ?? [];
      // A cell with a dash has no test.
      expect(tests.length === 0, `${row}: ${head[column + 1]}`).toBe(cell === "–");
      for (const [file, name] of tests)
        expect(readFileSync(`${REPOSITORY}apps/cli/test/${file}`, "utf8"), file).toContain(name);
    }
  }
});

test("the page says plainly what no check can hold", () => {
  const text = SECTION.replaceAll(/\s+/g, " ");
  for (const sentence of [
    "A fork can change the workflow, too, if the platform runs the fork's workflow.",
    "A started server can forge everything that runs after it in its job",
    "write and upload them in a job that starts nothing.",
    "pre-commit on a stranger's branch starts the launches of that branch's lock, unless it gets `--base`.",
    "GitLab's base can be an old commit.",
  ])
    expect(text).toContain(sentence);
});
