// An npm registry that stores published packages in a folder, requires no password, and redirects requests for any
// other package to the registry that npm uses on this machine: `node packages/testing/src/npm-registry/serve-registry.ts <folder> <registry>`.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { runServer } from "verdaccio";

const [folder = "", registry = ""] = process.argv.slice(2);
const everybody = { access: "$all", publish: "$all" };
/**
 * Matches paths of our packages and of the registry itself: `/@agentprint%2ftrail`,
 * `/agentprint/-/agentprint-0.1.0.tgz`, `/-/ping`.
 */
const OWN = /^\/(@agentprint(\/|%2f)|agentprint(\/|$)|-\/)/i;

const own = (await runServer({
  self_path: folder,
  configPath: folder,
  storage: `${folder}/storage`,
  web: { enable: false },
  auth: {},
  packages: { agentprint: everybody, "@agentprint/*": everybody },
  log: { type: "stdout", format: "pretty", level: "error" },
} as unknown as Parameters<typeof runServer>[0])) as Server;
// A proxy would read and write megabytes for each package; a redirected client finds earlier downloads in its own cache.
const server = createServer((request, response) => {
  const path = request.url ?? "/";
  if (OWN.test(path)) own.emit("request", request, response);
  else response.writeHead(302, { location: new URL(path.slice(1), registry).href }).end();
}).listen(0, "127.0.0.1", () => {
  console.log(`The registry answers at http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});
