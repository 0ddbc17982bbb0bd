import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { REPOSITORY } from "./examples.ts";

/** The tests that hold the cells of a row: a file below `apps/cli/test`, and a part of the name of a test in it. */
const HELD: Readonly<Record<string, readonly (readonly [file: string, name: string])[]>> = {
  "the workflow": [
    ["ci/templates.test.ts", "sets tools up before the checkout"],
    ["ci/templates.test.ts", "is run again where the base is changed"],
  ],
  "`agentprint.lock`: findings accepted, servers added or removed": [
    ["base-change.test.ts", "every format counts what the change approves, removes, adds and weakens"],
    ["base.test.ts", "counts for no policy, and servers that come, go or are visited otherwise are told"],
  ],
  "`agentprint.lock`: a launch": [
    ["base.test.ts", "of the base are started, and no others"],
    ["slow/action-base.test.ts", "starts no launch that its base does not have, unless this is allowed"],
  ],
  "`agentprint.config.json`, the policy in the lock": [
    ["base.test.ts", "judges the findings, where the change weakens it together with the lock"],
    ["slow/action-base.test.ts", "is judged by the policy of its base"],
  ],
  "a client's configuration or an env file: a launch or a value": [
    ["base.test.ts", "of the base are started, and no others"],
    ["base-values.test.ts", "have to be those of the base"],
  ],
  "a variable that loads code (`NODE_OPTIONS`, `LD_PRELOAD`)": [
    ["base-values.test.ts", "are held back, wherever their values come from"],
  ],
  "a script that a launch names": [
    ["ci/templates.test.ts", "runs the servers without secrets and with a token that reads"],
  ],
  "Git: a folder like a repository, a link, a tag, a submodule": [
    ["git.test.ts", "is not a folder of the change that looks like one"],
    ["git.test.ts", "is looked up by its name: a working directory that is a link is refused"],
    ["git.test.ts", "is refused, whichever Git would take"],
    ["git.test.ts", "is not a submodule, which the change can exchange"],
    ["slow/action-base.test.ts", "takes no tag for the branch that has its name"],
    ["slow/action-base.test.ts", "runs nothing that a configuration of the change names when it fetches"],
    ["slow/action.test.ts", "enters no folder through a link, and none outside of the checkout"],
  ],
  "`.npmrc`, `.yarnrc`, `package.json`, `node_modules/.bin`": [
    ["slow/hostile-checkout.test.ts", "in the workflow that init writes"],
    ["slow/hostile-checkout.test.ts", "in the workflow of the action"],
    ["slow/hostile-checkout.test.ts", "in the job of GitLab"],
    ["slow/hostile-checkout.test.ts", "in the workflow that pins again for Renovate"],
  ],
  "what a server says": [
    ["slow/action.test.ts", "has the exit code of the command, and writes every report in one visit"],
  ],
  "names and texts in log and report": [["ci/runner-commands.test.ts", "no line that a command prints is"]],
};

test("each row of the table of who can do what is held by tests that are there", () => {
  const page = readFileSync(`${REPOSITORY}docs/ci.md`, "utf8");
  const table = page.slice(page.indexOf("## Who can do what"), page.indexOf("## GitLab"));
  const rows = [...table.matchAll(/^\| (.*?) +\|/gm)].map(([, row = ""]) => row).slice(1);
  expect(rows.filter((row) => !/^-+$/.test(row))).toEqual(Object.keys(HELD));
  for (const [file, name] of Object.values(HELD).flat()) {
    expect(readFileSync(`${REPOSITORY}apps/cli/test/${file}`, "utf8"), file).toContain(name);
  }
});
