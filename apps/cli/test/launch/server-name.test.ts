import { describe, expect, test } from "vitest";
import { nameOfCommand, nameOfUrl } from "../../src/launch/server-name.ts";

describe("the default name of a server", () => {
  test.each([
    ["npx -y @modelcontextprotocol/server-filesystem@2026.7.4 .", "server-filesystem"],
    ["npx.cmd server-memory", "server-memory"],
    ["uvx mcp-server-git==1.2 --repository .", "mcp-server-git"],
    ["python3.12 -m mcp_server_time", "mcp_server_time"],
    ["node /srv/tools/weather/dist/index.js", "weather"],
    ["node node_modules/server-x/build/main.mjs", "server-x"],
    ["pnpm dlx @acme/mcp", "mcp"],
    ["docker run -i --rm ghcr.io/acme/search:latest", "search-latest"],
    ["docker run -it -v /srv/data:/data --name box --network=host -p8080:80 acme/search@sha256:0a1b", "search"],
    ["podman --log-level error run --rm --mount type=bind,src=/srv,dst=/srv acme/search", "search"],
    ["docker run -i node:22 npx -y server-memory", "node-22"],
    ["/usr/local/bin/github-mcp-server stdio", "github-mcp-server"],
    ["C:\\tools\\weather.exe", "weather"],
    ["node", "node"],
    ["node index.js", "index.js"],
    ["./run\u001b[31m", "run-31m"],
    ["\u202e", "server"],
  ])("%s is %s", (command, name) => {
    expect(nameOfCommand(command.split(" "))).toBe(name);
  });

  const token = `ghp_${"x".repeat(36)}`;
  test.each([
    ["docker", ["run", "-i", "--rm", "-e", `GITHUB_TOKEN=${token}`, "ghcr.io/github/github-mcp-server"]],
    ["docker", ["run", "-e", "GITHUB_TOKEN=hunter2", "-e", "DEBUG", "ghcr.io/github/github-mcp-server"]],
    ["nerdctl", ["run", "-eDB=hunter2", "--env", "USER_KEY=hunter2", "github-mcp-server"]],
    ["env", ["-i", "API_TOKEN=hunter2", "PLAIN=hunter2", "node", "github-mcp-server.mjs"]],
    ["node", ["--api-key", "hunter2", "github-mcp-server/index.js"]],
    ["npx", [token, "github-mcp-server"]],
    ["sh", ["-c", "API_TOKEN=hunter2 exec npx -y github-mcp-server"]],
    ["bash", ["-c", "PLAIN=hunter2 node github-mcp-server.mjs"]],
  ])("has no secret of %s %j in it", (program, args) => {
    expect(nameOfCommand([program, ...args])).toBe("github-mcp-server");
  });

  test("is the host of a URL", () => {
    expect(nameOfUrl("https://user:secret@mcp.example.com:8443/v1/mcp?key=secret")).toBe("mcp.example.com-8443");
  });
});
