import { InstalledUv } from "@agentprint/testing/python-index/wheel-index";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Workspace } from "../support/workspace.ts";

let space: Workspace;
beforeEach(() => {
  space = new Workspace();
  // npm and uv keep their caches in the home folder, and agentprint keeps the packages that it installs there.
  vi.stubEnv("HOME", space.path("home"));
  vi.stubEnv("XDG_CACHE_HOME", undefined);
  vi.stubEnv("XDG_STATE_HOME", space.path("home/state"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  space[Symbol.dispose]();
});

/** Runs the command, which keeps its state between runs in the test's folder. */
const run = (...args: string[]) => space.run(args, { XDG_STATE_HOME: space.path("home/state") });

test("a real package of npm is pinned with the bytes of everything installed with it", async () => {
  const launch = ["npx", "-y", "@modelcontextprotocol/server-filesystem@2026.7.4", "."];
  expect(await run("pin", "--name", "files", "--", ...launch)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /the bytes of @modelcontextprotocol\/server-filesystem@2026.7.4 are pinned, and those of \d\d+ packages/,
    ),
  });
  const [artifact] = space.lock().servers.find(({ name }) => name === "files")?.artifacts ?? [];
  expect(artifact?.integrity).toBe(
    "sha512-JwEaH4dRRzwcNMwX8WJVCJyXfFxXjFKdgwHxjQhFLhi02kszgyyj611LV9puBLDO1IiDQSCjfKFSPaemegnvwg==",
  );
  expect(Object.keys(artifact?.dependencies ?? {}).some((name) => name.startsWith("@modelcontextprotocol/sdk@"))).toBe(
    true,
  );
  expect(await run("check", "files", "--require-integrity")).toMatchObject({ code: 0 });
});

test("a real package of PyPI is pinned with all of its files", async () => {
  using uv = new InstalledUv();
  vi.stubEnv("PATH", `${uv.bin}:${process.env["PATH"]}`);
  const launch = ["uvx", "--with", "mcp<2", "mcp-server-time==2025.8.4"];
  expect(await run("pin", "--name", "time", "--", ...launch)).toMatchObject({ code: 0 });
  const { artifacts } = space.lock().servers.find(({ name }) => name === "time") ?? {};
  expect(artifacts).toEqual([
    {
      pointer: "/args/2",
      dependencies: expect.any(Object),
      kind: "pypi",
      name: "mcp-server-time",
      version: "2025.8.4",
      files: {
        "mcp_server_time-2025.8.4-py3-none-any.whl":
          "sha256:8c7bf9ce770fc0df9268cb1ed29d1a6f0ba8e96dac68ee505d1533e58db3ae74",
        "mcp_server_time-2025.8.4.tar.gz": "sha256:5605e5222b8d2814160c09c38947731cf816fa977a4158c344a95f6a363ca124",
      },
    },
  ]);
  const dependencies = Object.entries(artifacts?.[0]?.dependencies ?? {});
  expect(dependencies.find(([key]) => key.startsWith("mcp@1."))).toEqual([
    expect.any(String),
    expect.stringMatching(/^sha256:/),
  ]);
  expect(await run("check", "time")).toMatchObject({ code: 0 });
});
