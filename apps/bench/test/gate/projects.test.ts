import { expect, test } from "vitest";
import { projectFolders, withDependencies } from "../../src/gate/projects.ts";
import { ROOT } from "../../src/loaded-projects.ts";

test("a project comes behind those whose code it runs, and the command behind the packages that it includes", () => {
  const found = withDependencies(ROOT, ["apps/cli", "apps/bench"]);
  expect(found.at(-1)).toBe("apps/bench");
  expect(found).toEqual([...new Set(found)]);
  expect(projectFolders(ROOT)).toEqual(expect.arrayContaining(found));
  const command = found.slice(0, found.indexOf("apps/cli"));
  expect(command).toEqual(expect.arrayContaining(["packages/guard", "packages/mcp-lock", "packages/recorder"]));
  expect(found.indexOf("packages/canonical-json")).toBeLessThan(found.indexOf("packages/mcp-lock"));
});
