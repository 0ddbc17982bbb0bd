import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { type FoundArtifact, type Launch, launchedFiles, launchedPackages } from "@agentprint/launch";
import { createLock, formatLock, lockServer, withServer } from "@agentprint/mcp-lock";
import { answersOf } from "@agentprint/testing/lock/offer";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type RunResult, runCli } from "../support/run-cli.ts";
import { Workspace } from "../support/workspace.ts";

const RUNNERS =
  "npx npm pnpm pnpx yarn bun bunx deno uv uvx pipx python python3 poetry docker sh bash timeout go".split(" ");
const DIGEST = "a".repeat(64);
const INTEGRITY = `sha512-${"A".repeat(86)}==`;

let space: Workspace;
beforeEach(() => {
  space = new Workspace();
  mkdirSync(space.path("elsewhere/bin"), { recursive: true });
  for (const name of RUNNERS) {
    space.writeProgram(`elsewhere/bin/${name}`, `#!/bin/sh\n: > ${space.path("started")}\nexit 1\n`);
  }
  mkdirSync(space.path("project"));
  vi.stubEnv("PATH", space.path("elsewhere/bin"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  space[Symbol.dispose]();
});

const run = (...args: string[]): Promise<RunResult> => {
  const env = { XDG_STATE_HOME: space.path("state"), HOME: space.path("home") };
  return runCli(args, { cwd: space.path("project"), env, visits: { settle: 0, views: "client" } });
};

/** Pins a launch with a digest of each file and each exact package, as if it had been visited. */
function pinned(line: string): void {
  const [command = "", ...args] = line.split(" ").map((word) => word.replaceAll("·", " "));
  const launch: Launch = { type: "stdio", command, args, env: [] };
  const artifacts = launchedPackages(launch).flatMap((fetched): FoundArtifact[] => {
    const { pointer, kind, package: name, versionText: version = "" } = fetched;
    if (fetched.version !== "exact") return [];
    const own = { pointer, name, version, source: "registry" } as const;
    if (kind === "npm") return [{ ...own, kind, integrity: INTEGRITY }];
    if (kind === "image") return [{ ...own, kind: "oci", integrity: `sha256:${DIGEST}` }];
    return [{ ...own, kind: "pypi", files: { [`${name}.whl`]: `sha256:${DIGEST}` } }];
  });
  const files = launchedFiles(launch).map(({ pointer }) => ({ pointer, digest: DIGEST }));
  const entry = lockServer("s", { ...answersOf([], { launch }), files, artifacts });
  writeFileSync(space.path("project/agentprint.lock"), formatLock(withServer(createLock({}), entry)));
}

const picks = (specifier: string): string =>
  `not covered: the bytes of ${specifier} are those that its runner picks when it starts`;
const leads = (word: string): string => `not covered: it is unknown what ${word} leads to`;

test.each([
  ["pipx run server==1.0", picks("server==1.0")],
  ["pipx run --spec server==1.0 server", picks("server==1.0")],
  ["pipx run https://example.com/server.py", leads("https://example.com/server.py")],
  ["uv run --with server==1.0 script.py", picks("server==1.0")],
  ["uv run --with server script.py", leads("server")],
  ["uv run server", leads("server")],
  ["uv run -m server", leads("-m")],
  ["uv run python -m server", leads("-m")],
  ["uvx server", leads("server")],
  ["uvx server@latest", leads("server@latest")],
  ["uvx --from git+https://example.com/a/b server", leads("git+https://example.com/a/b")],
  ["uvx --from ./server server", leads("./server")],
  ["uvx --with-editable . server==1.0", leads("--with-editable")],
  ["python -m server", leads("-m")],
  ["python3 -m server --port 3", leads("-m")],
  ["poetry run server", leads("server")],
  ["poetry run python -m server", leads("-m")],
  ["bunx --bun server@1.0.0", picks("server@1.0.0")],
  ["bun x server", leads("server")],
  ["pnpm dlx server@^1.0.0", leads("server@^1.0.0")],
  ["pnpx server", leads("server")],
  ["yarn dlx server@1.0.0", picks("server@1.0.0")],
  ["deno run -A npm:server@1.0.0", picks("server@1.0.0")],
  ["deno run -A jsr:@a/server@1.0.0", leads("jsr:@a/server@1.0.0")],
  ["docker run -i server", leads("server")],
  ["docker run -i server:1.0", leads("server:1.0")],
  ["npx -c server", leads("server")],
  ["npx -p server@1.0.0 -c server", leads("server")],
  ["npx --call=server -p server@1.0.0", leads("server")],
  ["npx -w part server@1.0.0", leads("-w")],
  ["npx --workspaces server@1.0.0", leads("--workspaces")],
  ["npm exec --workspace=part server@1.0.0", leads("--workspace=part")],
  ["npx ./server", leads("./server")],
  ["npx .", leads(".")],
  ["npx file:../server", leads("file:../server")],
  ["npx ./server-1.0.0.tgz", leads("./server-1.0.0.tgz")],
  ["npx github:a/b", leads("github:a/b")],
  ["npx git+https://example.com/a/b.git", leads("git+https://example.com/a/b.git")],
  [`npx github:a/b#${"a".repeat(40)}`, picks(`github:a/b#${"a".repeat(40)}`)],
  ["npx https://example.com/server.tgz", leads("https://example.com/server.tgz")],
  ["npx server", leads("server")],
  ["npm exec server", leads("server")],
  ["npx server@latest", leads("server@latest")],
  ["npx alias@npm:server@1.0.0", picks("alias@npm:server@1.0.0")],
  ["npx --prefix ./part server@1.0.0", leads("--prefix")],
  ["npx --userconfig=./part server@1.0.0", leads("--userconfig=./part")],
  ["timeout 60 npx server@1.0.0", picks("server@1.0.0")],
  ["sh -c npx·-y·server@1.0.0", picks("server@1.0.0")],
  ["go run example.com/server@v1.0.0", leads("example.com/server@v1.0.0")],
])("%s is not covered, and nothing is started where integrity is required", async (line, words) => {
  pinned(line);
  expect((await run("show", "s")).stdout).toContain(words);
  const refused = await run("check", "--require-integrity");
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("no-integrity") });
  expect(existsSync(space.path("started"))).toBe(false);
});

test.each([
  ["npx -y server@1.0.0", "server@1.0.0"],
  ["npx -p server@1.0.0 -p other@2.0.0 server", "server@1.0.0, other@2.0.0"],
  ["npm exec -- server@1.0.0", "server@1.0.0"],
  ["bunx server@1.0.0", "server@1.0.0"],
  ["bun x server@1.0.0", "server@1.0.0"],
  ["pnpm dlx server@1.0.0", "server@1.0.0"],
  ["pnpx server@1.0.0", "server@1.0.0"],
  ["uvx server==1.0", "server@1.0"],
  ["uv tool run --from server==1.0 --with other==2.0 server", "server@1.0, other@2.0"],
  [`docker run -i server@sha256:${DIGEST}`, `server@sha256:${DIGEST}`],
])("%s is covered, and is not refused where integrity is required", async (line, names) => {
  pinned(line);
  expect((await run("show", "s")).stdout).toContain(`artifact: the bytes of ${names} are pinned`);
  const { stderr } = await run("check", "--require-integrity");
  expect([stderr.includes("no-integrity"), existsSync(space.path("started"))]).toEqual([false, true]);
});

test.each(["uv run script.py", "pipx run ./script.py", "node server.js"])(
  "%s: the file is covered, and its imports are not",
  async (line) => {
    pinned(line);
    const words = "files: the files that the launch names are pinned, their imports are not";
    expect((await run("show", "s")).stdout).toContain(words);
    expect((await run("check", "--require-integrity")).stderr).not.toContain("no-integrity");
  },
);
