import { type Launch, launchedPackages } from "@agentprint/launch";
import { expect, test } from "vitest";

const launch = (command: string, ...args: string[]): Launch => ({ type: "stdio", command, args, env: [] });

test("the package of the command is fetched, with the options of its runner", () => {
  const [one, ...others] = launchedPackages(
    launch("npx", "-y", "--registry", "https://npm.example.com", "server@1.2.3"),
  );
  expect(others).toEqual([]);
  expect(one).toMatchObject({ kind: "npm", package: "server", versionText: "1.2.3", isCommand: true });
  expect(one?.specifier).toBe("server@1.2.3");
  expect(one?.options).toContainEqual(["--registry", "https://npm.example.com"]);
  expect(one?.options).toContainEqual(["-y"]);
});

test("packages that are installed next to the command are fetched, too", () => {
  const found = launchedPackages(launch("npx", "-p", "one@1.0.0", "-p", "two", "two"));
  expect(found.map(({ specifier, isCommand }) => [specifier, isCommand])).toEqual([
    ["one@1.0.0", false],
    ["two", false],
  ]);
});

test("an address and a local program fetch nothing", () => {
  expect(launchedPackages({ type: "http", url: "https://mcp.example.com/mcp", headers: [] })).toEqual([]);
  expect(launchedPackages(launch("node", "server.js"))).toEqual([]);
});
