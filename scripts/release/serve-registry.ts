// A registry of npm packages that keeps what is published to it in a folder, asks nobody for a password, and takes every other package from the
// registry that npm uses on this machine: `node scripts/release/serve-registry.ts <folder> <registry>`.
import type { AddressInfo } from "node:net";
import { runServer } from "verdaccio";

const [folder = "", registry = ""] = process.argv.slice(2);
const everybody = { access: "$all", publish: "$all" };

const server = await runServer({
  self_path: folder,
  configPath: folder,
  storage: `${folder}/storage`,
  web: { enable: false },
  auth: {},
  uplinks: { npm: { url: registry, cache: false, maxage: "1h" } },
  // What is ours is looked for nowhere else.
  packages: { agentprint: everybody, "@agentprint/*": everybody, "**": { access: "$all", proxy: "npm" } },
  log: { type: "stdout", format: "pretty", level: "error" },
} as unknown as Parameters<typeof runServer>[0]);
const listening = server.listen(0, "127.0.0.1", () => {
  console.log(`The registry answers at http://127.0.0.1:${(listening.address() as AddressInfo).port}/`);
});
