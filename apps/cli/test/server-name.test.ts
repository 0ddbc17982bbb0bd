import { describe, expect, it } from "vitest";
import { nameOfCommand, nameOfUrl } from "../src/launch/server-name.ts";

describe("the name of a server that was given none", () => {
  it.each([
    ["npx -y @modelcontextprotocol/server-filesystem@2026.7.4 .", "server-filesystem"],
    ["npx.cmd server-memory", "server-memory"],
    ["uvx mcp-server-git==1.2 --repository .", "mcp-server-git"],
    ["python3.12 -m mcp_server_time", "mcp_server_time"],
    ["node /srv/tools/weather/dist/index.js", "weather"],
    ["node node_modules/server-x/build/main.mjs", "server-x"],
    ["pnpm dlx @acme/mcp", "mcp"],
    ["docker run -i --rm ghcr.io/acme/search:latest", "search-latest"],
    ["/usr/local/bin/github-mcp-server stdio", "github-mcp-server"],
    ["C:\\tools\\weather.exe", "weather"],
    ["node", "node"],
    ["node index.js", "index.js"],
    ["./run\u001b[31m", "run-31m"],
    ["\u202e", "server"],
  ])("%s is %s", (command, name) => {
    expect(nameOfCommand(command.split(" "))).toBe(name);
  });

  it("is the host of a URL", () => {
    expect(nameOfUrl("https://user:secret@mcp.example.com:8443/v1/mcp?key=secret")).toBe("mcp.example.com-8443");
  });
});
