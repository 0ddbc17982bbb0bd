import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Launch, launchCoverage, launchedFiles, launchedPackages, plainDataOf } from "../src/index.ts";

const launchOf = ([command = "", ...args]: readonly string[]): Launch => ({ type: "stdio", command, args, env: [] });
/** Returns a line's arguments; `·` is a space within an argument. */
const wordsOf = (line: string): string[] => line.split(" ").map((word) => word.replaceAll("·", " "));

/** Returns the texts of a line's plain data, each with the name of the variable whose value it is. */
function plainTexts(line: string): string[] {
  const [, ...args] = wordsOf(line);
  return plainDataOf(launchOf(wordsOf(line))).map(
    ({ argument, start, variable }) => (variable ? `${variable}:` : "") + (args[argument] ?? "").slice(start),
  );
}

describe("the plain data of a launch", () => {
  test.each([
    // Behind what runs.
    ["node server.js --port 1 --key=v -k x=y", ["1", "v", "x=y"]],
    ["./server a --b=c", ["a", "c"]],
    ["python3 -u server.py a", ["a"]],
    ["sh ./start.sh a", ["a"]],
    ["fish ./start.fish a", ["a"]],
    ["php -f server.php a", ["a"]],
    ["java -jar server.jar a", ["a"]],
    ["java Server.java a", ["a"]],
    ["java -cp server.jar Main a", ["a"]],
    ["go run a.go b.go c", ["c"]],
    ["deno run -A server.ts a", ["a"]],
    ["deno run npm:server@1.0.0 a", ["a"]],
    ["bun run server.ts a", ["a"]],
    ["npx -y server@1.0.0 a", ["a"]],
    ["npx -y --package=one@1.0.0 two a", ["a"]],
    ["npx -y tsx a.ts b", ["b"]],
    ["uvx server a", ["a"]],
    ["uv run server.py a", ["a"]],
    ["uv run server a", ["a"]],
    ["pipx run server.py a", ["a"]],
    ["pipx run server a", ["a"]],
    ["timeout 10 node server.js a", ["a"]],
    // Values of variables.
    ["env A=b node server.js c", ["A:b", "c"]],
    ["docker run -e A=b --env=C=d -e E image f g", ["A:b", "C:d", "g"]],
    ["docker run --entrypoint serve image a", ["a"]],
    ["docker run image node server.js a", ["a"]],
    ["docker run image timeout 10 serve a --b=c", ["a", "c"]],
    // These are not plain data: options and their values, commands, programs, scripts, packages, images, folders, shell
    // text and code.
    ["node --title a server.js", []],
    ["node -e 1 a", []],
    ["node --surprise server.js a", []],
    ["python3 -m server a", []],
    ["npx -y --registry https://a.example server@1.0.0", []],
    ["npx -c server·a b", []],
    ["npm run start a", []],
    ["npm exec server --call a", []],
    ["uv --directory a run server.py", []],
    ["uv run --with a server.py", []],
    ["mcp run server.py a", []],
    ["fastmcp run server.py --with a", []],
    ["mcp-proxy node server.js a", []],
    ["docker run image a", []],
    ["docker run -v a:b image", []],
    ["sh -c node·server.js·a b", []],
    ["cmd /c npx·server·a b", []],
    ["pwsh -File start.ps1 a", []],
    ["pwsh -c node·server.js a", []],
    ["env -S node·server.js·a", []],
    ["server --run node", []],
    ["env LD_PRELOAD=a PATH=b node server.js", []],
    ["npx -y mcp-remote https://a.example b", []],
  ])("%s", (line, texts) => {
    expect(plainTexts(line)).toEqual(texts);
  });

  test("a server at an address has none", () => {
    expect(plainDataOf({ type: "http", url: "https://a.example", headers: [] })).toEqual([]);
  });

  test("another text in their place runs the same files and packages", () => {
    const lines = [
      "node server.js a --b=c",
      "env A=b uvx server d",
      "docker run -e A=b image c d",
      "npx -y server@1 a",
    ];
    const text = fc.string().filter((each) => !each.startsWith("-"));
    fc.assert(
      fc.property(fc.constantFrom(...lines), text, fc.nat(), (line, value, pick) => {
        const [command = "", ...args] = wordsOf(line);
        const data = plainDataOf(launchOf([command, ...args]));
        const { argument = 0, start = 0 } = data[pick % data.length] ?? {};
        const other = launchOf([command, ...args.with(argument, (args[argument] ?? "").slice(0, start) + value)]);
        const before = launchOf([command, ...args]);
        expect(launchedFiles(other)).toEqual(launchedFiles(before));
        const named = (launch: Launch) =>
          launchedPackages(launch).map(({ specifier, pointer }) => [specifier, pointer]);
        expect(named(other)).toEqual(named(before));
        // A changed state only means that the text names code.
        const { state, word } = launchCoverage(other) ?? {};
        const argumentWord = other.type === "stdio" ? other.args[argument] : "";
        expect([launchCoverage(before)?.state, argumentWord === word && "not covered"]).toContain(state);
      }),
    );
  });
});
