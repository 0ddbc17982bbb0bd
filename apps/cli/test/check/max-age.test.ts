import { expect, test } from "vitest";
import { hostile } from "../support/hostile.ts";
import { HAS_GIT, Repository } from "../support/repository.ts";
import { Workspace } from "../support/workspace.ts";

test.skipIf(!HAS_GIT)("a pin older than its maximum age is a warning that changes no outcome", async () => {
  using space = new Workspace();
  const pinned = await space.run(["pin", "--name", "it", "--", ...hostile("repeats-secrets")]);
  expect(pinned, pinned.stderr).toMatchObject({ code: 0 });
  const check = async (age: string) => {
    const { code, stdout } = await space.run(["check", "--max-age", age, "--format", "json"]);
    const { findings } = JSON.parse(stdout) as { findings: { rule: string; level: string; before?: string }[] };
    return { code, aged: findings.filter(({ rule }) => rule === "lock/pin-not-verified") };
  };
  const repository = new Repository(space.folder);
  expect(await check("0d")).toEqual({ code: 0, aged: [] }); // nothing is committed
  const commit = repository.commit();
  expect(await check("99999d")).toEqual({ code: 0, aged: [] });
  expect(await check("90d")).toMatchObject({ code: 0, aged: [{ level: "warning", before: `commit ${commit}` }] });
  for (const wrong of ["1", "1w", "-1d"])
    expect(await space.run(["check", `--max-age=${wrong}`])).toMatchObject({ code: 2 });
});
