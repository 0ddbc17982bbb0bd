import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Writes {@link hostileFiles} into a folder, which need not be inside the checkout. */
export function writeHostileFiles(into: string, folder: string, marker: string): void {
  for (const [name, text] of Object.entries(hostileFiles(folder, marker))) {
    mkdirSync(dirname(join(into, name)), { recursive: true });
    writeFileSync(join(into, name), text, { mode: 0o755 });
  }
}

/**
 * Returns the files of a change; each would make some tool run a program from the change.
 *
 * @param folder The folder in which the change is checked out
 * @param marker The file that these programs create
 */
function hostileFiles(folder: string, marker: string): Record<string, string> {
  const shell = `#!/bin/sh\ntouch '${marker}'\nexit 0\n`;
  const script = `require("node:fs").writeFileSync(${JSON.stringify(marker)}, "")`;
  const programs = [
    "npm",
    "npx",
    "node",
    "yarn",
    "git",
    "agentprint",
    "sh",
    "bash",
    "env",
    "sed",
    "uv",
    "pip",
    "corepack",
  ];
  return {
    "evil.cjs": script,
    "evil.sh": shell,
    ".yarnrc": 'yarn-path "./evil.cjs"\n',
    ".yarnrc.yml": "yarnPath: ./evil.cjs\n",
    ".npmrc": `registry=http://127.0.0.1:9/\nscript-shell=${folder}/evil.sh\nnode-options=--require=${folder}/evil.cjs\nprefix=${folder}\ngit=${folder}/evil.sh\n`,
    ".node-version": "0.0.1\n",
    ".nvmrc": "0.0.1\n",
    ".tool-versions": "nodejs path:./node_modules\n",
    ".env": `NODE_OPTIONS=--require=${folder}/evil.cjs\n`,
    "bunfig.toml": 'preload = ["./evil.cjs"]\n',
    "pip.conf": "[global]\nindex-url = http://127.0.0.1:9/\n",
    "uv.toml": 'index-url = "http://127.0.0.1:9/"\n',
    "mise.toml": "[env]\n_.source = './evil.sh'\n[tools]\nnode = '0.0.1'\n",
    ".envrc": "./evil.sh\n",
    ".python-version": "0.0.1\n",
    "pnpm-workspace.yaml": "packages: ['.']\nconfigDependencies: {}\n",
    ".pnpmfile.cjs": script,
    "npm-shrinkwrap.json": '{ "lockfileVersion": 3, "packages": {} }',
    "node.config.json": '{ "nodeOptions": { "import": ["./evil.cjs"] } }',
    "package.json": JSON.stringify({
      name: "agentprint",
      packageManager: "yarn@0.0.1",
      scripts: { preinstall: "./evil.sh", prepare: "./evil.sh" },
      devEngines: { packageManager: { name: "yarn", onFail: "error" } },
    }),
    "agentprint.config.json": '{ "preset": "breaking" }',
    ...Object.fromEntries(programs.map((name) => [`node_modules/.bin/${name}`, shell])),
    ...Object.fromEntries(programs.map((name) => [name, shell])),
  };
}
