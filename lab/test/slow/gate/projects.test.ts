import { expect, test } from "vitest";
import { projectFolders, withDependencies } from "../../../bench/gate/projects.ts";
import { ROOT } from "../../../bench/loaded-projects.ts";

test("a project comes behind those whose code it runs, and the command behind the packages that it includes", () => {
  const found = withDependencies(ROOT, ["apps/cli", "lab"]);
  expect(found.at(-1)).toBe("lab");
  expect(found).toEqual([...new Set(found)]);
  expect(projectFolders(ROOT)).toEqual(expect.arrayContaining(found));
  const command = found.slice(0, found.indexOf("apps/cli"));
  expect(command).toEqual(expect.arrayContaining(["packages/guard", "packages/mcp-lock", "packages/recorder"]));
  expect(found.indexOf("packages/canonical-json")).toBeLessThan(found.indexOf("packages/mcp-lock"));
});
