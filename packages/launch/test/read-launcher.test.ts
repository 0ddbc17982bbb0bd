import { runs } from "@agentprint/testing/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Launch, readLauncher, withPinnedVersion } from "../src/index.ts";

const launchOf = (command: string, ...args: string[]): Launch => ({ type: "stdio", command, args, env: [] });

/** Returns a launch from words separated by single spaces; `·` is a space within an argument. */
const launch = (line: string): Launch => {
  const [command = "", ...args] = line.split(" ").map((word) => word.replaceAll("·", " "));
  return launchOf(command, ...args);
};

/** Returns the launcher in a short form: kind, package, precision and version. */
function read(line: string): string {
  const launcher = readLauncher(launch(line));
  if (!("package" in launcher)) return launcher.kind;
  return [launcher.kind, launcher.package, launcher.version, launcher.versionText].filter((part) => part).join(" ");
}

const DIGEST = `sha256:${"0".repeat(64)}`;
const COMMIT = "a".repeat(40);

describe("a launch is read", () => {
  test.each([
    ["npx server", "npm server none"],
    ["npx -y @scope/server@1.2.3 .", "npm @scope/server exact 1.2.3"],
    ["npx --yes @scope/server@latest", "npm @scope/server tag latest"],
    ["npx -y server@^1.2 --help", "npm server range ^1.2"],
    ["npx server@1", "npm server range 1"],
    ["npx -y --package=@scope/server@2.0.0-beta.1 bin", "npm @scope/server exact 2.0.0-beta.1"],
    ["npx -p server@1.0.0 -p other bin", "npm other none"],
    ["npx -yp server@1.0.0 bin", "npm server exact 1.0.0"],
    ["npx --registry https://r.example -y server", "npm server none"],
    ["npx mine@npm:@scope/server@1.2.3", "npm @scope/server exact 1.2.3"],
    [`npx github:owner/server#${COMMIT}`, `npm github:owner/server exact ${COMMIT}`],
    ["npx owner/server#main", "npm owner/server tag main"],
    ["npx owner/server", "npm owner/server none"],
    ["npx https://example.com/server.tgz", "npm https://example.com/server.tgz none"],
    ["npx --no-install server", "local"],
    ["npx ./server", "local"],
    ["npx --surprise server", "unknown"],
    ["npx -c server", "unknown"],
    ["npx", "unknown"],
    ["npm exec --package=server@1.0.0 -- bin", "npm server exact 1.0.0"],
    ["npm run start", "local"],
    ["npm install server", "unknown"],
    ["pnpm dlx server@1.0.0", "npm server exact 1.0.0"],
    ["pnpm --silent dlx --package=server bin", "npm server none"],
    ["pnpx server", "npm server none"],
    ["yarn dlx -q -p server@2.0.0 bin", "npm server exact 2.0.0"],
    ["yarn start", "local"],
    ["bunx --bun server@1.0.0", "npm server exact 1.0.0"],
    ["bun x server", "npm server none"],
    ["bun run server.ts", "local"],
    ["uvx server", "python server none"],
    ["uvx server@latest", "python server tag latest"],
    ["uvx server@1.2.3", "python server exact 1.2.3"],
    ["uvx --from server[cli]==1.2.3 bin", "python server[cli] exact 1.2.3"],
    ["uvx --python 3.12 --with mcp --from server>=1,<2 bin", "python server range >=1,<2"],
    ["uvx server==1.*", "python server range 1.*"],
    [`uvx --from git+https://example.com/a/b@${COMMIT} bin`, `python git+https://example.com/a/b exact ${COMMIT}`],
    ["uvx --from git+ssh://git@example.com/a/b bin", "python git+ssh://git@example.com/a/b none"],
    ["uvx --from server·@·git+https://example.com/a/b@v1 bin", "python server @ git+https://example.com/a/b tag v1"],
    ["uvx --from . bin", "local"],
    ["uv tool run server", "python server none"],
    ["uv --directory /srv run server.py", "local"],
    ["uv run --with mcp mcp run server.py", "python mcp none"],
    ["uv sync", "unknown"],
    ["pipx run --spec server==1.0 bin", "python server exact 1.0"],
    ["pipx run server", "python server none"],
    ["docker run -i --rm image", "image image none"],
    ["docker run --rm -it -e TOKEN -v /a:/b --network host ghcr.io/o/image:1.2 stdio", "image ghcr.io/o/image tag 1.2"],
    ["docker --context far run -eNAME=value --mount=type=bind image:latest", "image image tag latest"],
    [`podman run --pull always localhost:5000/image@${DIGEST}`, `image localhost:5000/image exact ${DIGEST}`],
    [`docker container run -i image:1@${DIGEST}`, `image image exact ${DIGEST}`],
    ["docker run -z image", "unknown"],
    ["docker run", "unknown"],
    ["docker exec -i container bin", "unknown"],
    ["/usr/local/bin/npx -y server@1.0.0", "npm server exact 1.0.0"],
    ["C:\\nodejs\\npx.cmd -y server", "npm server none"],
    ["C:\\Tools\\UVX.EXE server", "python server none"],
    ["cmd /c npx -y server@1.0.0", "npm server exact 1.0.0"],
    ["cmd.exe /d /s /c npx·-y·server@1.0.0", "npm server exact 1.0.0"],
    ["cmd npx", "unknown"],
    ["env A=b C=d npx server", "npm server none"],
    ["env -u A npx server", "npm server none"],
    ["env -S npx", "unknown"],
    ["sh -c npx·-y·server", "npm server none"],
    ["bash -lc A=b·exec·uvx·server==1.0.0", "python server exact 1.0.0"],
    ["sh -c npx·server·&&·rm·x", "unknown"],
    ["sh start.sh", "local"],
    ["sh", "unknown"],
    ["node C:\\npm\\bin\\npx-cli.js -y server", "npm server none"],
    ["node server.js", "local"],
    ["node", "local"],
    ["python3 -m server", "local"],
    ["github-mcp-server stdio", "local"],
    ["deno run -A npm:server", "unknown"],
    ["env env env env env env env env env npx server", "unknown"],
  ])("%s: %s", (line, expected) => {
    expect(read(line)).toBe(expected);
  });

  test("as a server at an address", () => {
    expect(readLauncher({ type: "http", url: "https://example.com/mcp", headers: [] })).toEqual({ kind: "remote" });
  });

  test("with the place of the package and the program that fetches it", () => {
    expect(readLauncher(launch("env A=b npx -y server@1.x"))).toEqual({
      kind: "npm",
      runner: "npx",
      package: "server",
      version: "range",
      versionText: "1.x",
      pointer: "/args/3",
    });
  });

  test("whatever its words are, and a pinned version is read as exact", () => {
    const word = fc.oneof(
      fc.constantFrom(
        "npx",
        "uvx",
        "docker",
        "run",
        "-y",
        "--package=a",
        "-c",
        "env",
        "sh",
        "cmd",
        "/c",
        "a@1",
        "--",
        "-",
      ),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), ([command = "", ...args]) => {
        const launched = launchOf(command, ...args);
        const launcher = readLauncher(launched);
        const pinned = withPinnedVersion(launched, launcher.kind === "image" ? DIGEST : "1.2.3");
        if (pinned === undefined) return;
        expect(launcher).toHaveProperty("package");
      }),
      { numRuns: runs(1000) },
    );
  });

  test("in time that grows with its length alone", () => {
    const long = "a-".repeat(500_000);
    for (const text of [long, `${long}@`, "@/".repeat(500_000), "a:1/".repeat(250_000), "[".repeat(1_000_000)]) {
      for (const program of ["npx", "uvx", "docker run", "sh -c"])
        expect(read(`${program} ${text}`)).toBeTypeOf("string");
    }
  });
});

describe("a version is pinned", () => {
  test.each([
    ["npx -y server", "1.2.3", "npx -y server@1.2.3"],
    ["npx -y --package=@scope/server@latest bin", "1.2.3", "npx -y --package=@scope/server@1.2.3 bin"],
    ["npx mine@npm:server@^1", "1.2.3", "npx mine@npm:server@1.2.3"],
    ["uvx --from server[cli]>=1 bin", "1.2.3", "uvx --from server[cli]==1.2.3 bin"],
    ["uvx server@latest", "1.2.3", "uvx server==1.2.3"],
    ["docker run -i image:latest stdio", DIGEST, `docker run -i image@${DIGEST} stdio`],
    ["sh -c A=b·npx·server@1·--flag", "1.2.3", "sh -c A=b·npx·server@1.2.3·--flag"],
    ["cmd /c npx·server /x", "1.2.3", "cmd /c npx·server@1.2.3 /x"],
  ])("%s", (line, version, expected) => {
    expect(withPinnedVersion(launch(line), version)).toEqual(launch(expected));
    expect(readLauncher(launch(expected))).toMatchObject({ version: "exact" });
  });

  test.each(["node server.js", "npx owner/server", "npx --surprise server"])("not in %s", (line) => {
    expect(withPinnedVersion(launch(line), "1.2.3")).toBeUndefined();
  });

  test("not at an address, and only if the text is a version", () => {
    expect(withPinnedVersion({ type: "http", url: "https://example.com/mcp", headers: [] }, "1.2.3")).toBeUndefined();
    expect(withPinnedVersion(launch("npx server"), "1.2.3 && rm")).toBeUndefined();
  });
});
