import { describe, expect, test } from "vitest";
import { launchedFiles } from "../src/index.ts";

/** Returns a launch from words separated by single spaces; `·` is a space within an argument. */
function filesOf(line: string): string[] {
  const [command = "", ...args] = line.split(" ").map((word) => word.replaceAll("·", " "));
  return launchedFiles({ type: "stdio", command, args, env: [] }).map(({ pointer, path, kind, folder }) =>
    [pointer, path, kind === "program" ? kind : "", folder ?? ""].filter((part) => part !== "").join(" "),
  );
}

describe("the local files of a launch", () => {
  test.each([
    ["node server.js --port 1", ["/args/0 server.js"]],
    ["/usr/bin/node --no-warnings --conditions x server.js", ["/args/3 server.js"]],
    [
      "node --import ./first.js --require=./second.cjs server.js",
      ["/args/1 ./first.js", "/args/2 ./second.cjs", "/args/3 server.js"],
    ],
    ["node --import tsx server.ts", ["/args/2 server.ts"]],
    ["node -- server.js", ["/args/1 server.js"]],
    ["node -e 1 server.js", []],
    ["python3 -u server.py", ["/args/1 server.py"]],
    ["python3.12 -m server", []],
    ["uv --directory /srv run --with mcp server.py", ["/args/5 server.py /srv"]],
    ["uv run python server.py", ["/args/2 server.py"]],
    ["uv sync", []],
    ["uvx server", []],
    ["bun run server.ts", ["/args/1 server.ts"]],
    ["bun server.ts", ["/args/0 server.ts"]],
    ["deno run -A server.ts", ["/args/2 server.ts"]],
    ["deno task start", []],
    ["java -Xmx1g -jar server.jar", ["/args/2 server.jar"]],
    ["npx -y @scope/server@1.2.3 .", []],
    ["npx ./server.js", ["/args/0 ./server.js"]],
    ["npx -y tsx@4 server.ts", ["/args/2 server.ts"]],
    ["sh -c node·server.js", ["/args/1 server.js"]],
    ["sh -c node·server.js·|·tee·log", []],
    ["sh ./start.sh", ["/args/0 ./start.sh"]],
    ["env TOKEN=1 ./server --stdio", ["/args/1 ./server program"]],
    ["./server --db data.db", ["/command ./server program"]],
    ["github-mcp-server stdio", ["/command github-mcp-server program"]],
    ["docker run image", []],
    ["go run .", []],
  ])("%s", (line, files) => {
    expect(filesOf(line)).toEqual(files);
  });

  test("a server at an address has none", () => {
    expect(launchedFiles({ type: "http", url: "https://example.com/mcp", headers: [] })).toEqual([]);
  });
});
