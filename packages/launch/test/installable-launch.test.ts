import { describe, expect, test } from "vitest";
import { coverageWithPackages, type Launch, launchCoverage, readInstallable } from "../src/index.ts";

const launchOf = (line: string, env: string[] = []): Launch => {
  const [command = "", ...args] = line.split(" ").map((word) => word.replaceAll("·", " "));
  return { type: "stdio", command, args, env };
};

describe("a launch whose packages can be installed before it", () => {
  test.each([
    ["npx -y server@1.0.0", "server@1.0.0"],
    ["/usr/bin/npx -y server@v1.0.0 --port 3", "server@v1.0.0 | --port 3"],
    ["C:\\nodejs\\npx.cmd server@=1.0.0 a·b", "server@=1.0.0 | a b"],
    ["npx --yes --package=@a/one@1.0.0 -p two@2.0.0-rc.1 two -p x", "@a/one@1.0.0 two@2.0.0-rc.1 | -p x | program two"],
    [
      "npx --registry https://npm.example --offline -q server@1.0.0",
      "server@1.0.0 | --registry https://npm.example --offline",
    ],
    ["npm exec --yes -- server@1.0.0 --all", "server@1.0.0 | --all"],
    ["npm x server@1.0.0", "server@1.0.0"],
    ["bunx server@1.0.0", "server@1.0.0"],
    ["bun x server@1.0.0", "server@1.0.0"],
    ["pnpx server@1.0.0", "server@1.0.0"],
    ["pnpm dlx server@1.0.0 a", "server@1.0.0 | a"],
    ["npx tsx@4.1.0 server.ts", "tsx@4.1.0 | server.ts"],
    ["uvx server==1.0.0", "server==1.0.0"],
    ["C:\\tools\\uvx.exe -q server[cli]==1.0.0 --port 3", "server[cli]==1.0.0 | --port 3"],
    ["uvx server@1.0.0rc1 a·b", "server@1.0.0rc1 | a b"],
    ["uvx --from server==1.0 --with one==1 -w two==2 run x", "server==1.0 one==1 two==2 | x | program run"],
    [
      "uv tool run --isolated -p 3.12 --index mine=https://py.example --offline server==1!2.0+local",
      "server==1!2.0+local | -p 3.12 --index mine=https://py.example --offline",
    ],
  ])("%s", (line, expected) => {
    const launch = launchOf(line);
    const { packages = [], program, args = [], options = [] } = readInstallable(launch) ?? {};
    const parts = [packages.map(({ specifier }) => specifier), args, options].map((words) => words.join(" "));
    const shown = [...parts, program === undefined ? "" : `program ${program}`].filter(Boolean).join(" | ");
    expect(shown).toBe(expected);
    const coverage = launchCoverage(launch);
    expect(coverage && coverageWithPackages(launch, coverage)).toEqual(coverage);
  });

  test.each([
    ["npx -y server", "server"],
    ["npx -y server@^1.0.0", "server@^1.0.0"],
    ["npx -y server@latest", "server@latest"],
    ["npx -y -p one@1.0.0 -p two two", "two"],
    ["npx -y alias@npm:server@1.0.0", "alias@npm:server@1.0.0"],
    [
      "npx -y github:a/b#0123456789abcdef0123456789abcdef01234567",
      "github:a/b#0123456789abcdef0123456789abcdef01234567",
    ],
    ["npx -p server@1.0.0 -c server", "server"],
    ["npx -p server@1.0.0 ./server", "./server"],
    ["npx --bun server@1.0.0", "server@1.0.0"],
    ["npx --force server@1.0.0", "server@1.0.0"],
    ["bunx --bun server@1.0.0", "server@1.0.0"],
    ["npx --workspaces server@1.0.0", "--workspaces"],
    ["npx -w a server@1.0.0", "-w"],
    ["npm --registry=https://npm.example exec server@1.0.0", "server@1.0.0"],
    ["pnpm dlx --allow-build=a server@1.0.0", "server@1.0.0"],
    ["yarn dlx server@1.0.0", "server@1.0.0"],
    ["deno run -A npm:server@1.0.0", "server@1.0.0"],
    ["timeout 5 npx server@1.0.0", "server@1.0.0"],
    ["sh -c npx·server@1.0.0", "server@1.0.0"],
    ["cross-env A=b npx server@1.0.0", "server@1.0.0"],
    ["npx cross-env@7.0.3 A=b npx server@1.0.0", "cross-env@7.0.3"],
    ["uvx server", "server"],
    ["uvx server>=1.0", "server>=1.0"],
    ["uvx server==1.*", "server==1.*"],
    ["uvx server===1.0", "server===1.0"],
    ["uvx server@latest", "server@latest"],
    ["uvx --from server server", "server"],
    ["uvx --with other==1.* server==1.0", "other==1.*"],
    ["uvx --with other@1.0 server==1.0", "server==1.0"],
    ["uvx --with one==1.0,two==2.0 server==1.0", "server==1.0"],
    ["uvx --with ./other server==1.0", "--with"],
    ["uvx --with-requirements more.txt server==1.0", "--with-requirements"],
    ["uvx --find-links wheels server==1.0", "--find-links"],
    ["uvx --python ./bin/python server==1.0", "--python"],
    ["uvx --index ./wheels server==1.0", "--index"],
    ["uvx --directory .. server==1.0", "server==1.0"],
    ["uvx --no-binary server==1.0", "server==1.0"],
    ["uvx --env-file .env server==1.0", "server==1.0"],
    ["uvx --from server==1.0 python -m server", "-m"],
    ["uvx --from server==1.0 python3.12 server.py", "server==1.0"],
    ["uvx --from server==1.0 ./server", "./server"],
    ["uvx python==3.12 server.py", "python==3.12"],
    ["uv --offline tool run server==1.0", "server==1.0"],
    ["./uvx server==1.0.0", "server==1.0.0"],
    ["bunx --bun server@1.0.0", "server@1.0.0"],
    ["bunx tsc@5.0.0", "tsc@5.0.0"],
    ["bun x claude@1.0.0", "claude@1.0.0"],
    ["uv run --with a==1.0 server.py", "a==1.0"],
    ["pipx run --spec a==1.0 a", "a==1.0"],
    ["npx", "npx"],
    ["./npx server@1.0.0", "server@1.0.0"],
  ])("is not %s, which is not covered because of %s", (line, word) => {
    const launch = launchOf(line);
    expect(readInstallable(launch)).toBeUndefined();
    const coverage = launchCoverage(launch);
    expect(coverage && coverageWithPackages(launch, coverage)).toMatchObject({ state: "not covered", word });
  });

  test("is not covered where a package may run install scripts, because nothing has a digest of what they write", () => {
    const launch = launchOf("npx -y server@1.0.0");
    const artifact = {
      pointer: "/args/1",
      kind: "npm",
      name: "server",
      version: "1.0.0",
      scripts: ["esbuild"],
    } as const;
    const covered = { state: "artifact", envFiles: [".env"] } as const;
    expect(coverageWithPackages(launch, covered, [{ ...artifact, scripts: [] }, artifact])).toEqual({
      state: "not covered",
      word: "esbuild",
      pointer: "/args/1",
      envFiles: [".env"],
    });
    expect(coverageWithPackages(launch, covered, [])).toEqual(covered);
  });

  test("fetches a package from a registry, and otherwise keeps its coverage", () => {
    const image = launchOf(`docker run -i server@sha256:${"a".repeat(64)}`);
    expect(readInstallable(image)).toBeUndefined();
    expect(coverageWithPackages(image, { state: "artifact" })).toEqual({ state: "artifact" });
    expect(readInstallable({ type: "http", url: "https://example.com/mcp", headers: [] })).toBeUndefined();
  });
});
