import { expect, test } from "vitest";
import { waysToServer } from "../src/server-json/index.ts";

const PACKAGE = { registryType: "npm", identifier: "@a/files", version: "1.2.3", transport: { type: "stdio" } };
const REMOTE = { type: "streamable-http", url: "https://mcp.example.com/mcp" };
const ways = (members: object) =>
  waysToServer({ name: "io.example/files", description: "Files", version: "1", ...members });
const ofPackage = (members: object) => ways({ packages: [{ ...PACKAGE, ...members }] })?.[0]?.launch;
const ofRemote = (members: object) => ways({ remotes: [{ ...REMOTE, ...members }] })?.[0]?.launch;

test.each<[object, string[]]>([
  [{}, ["npx", "-y", "@a/files@1.2.3"]],
  [{ registryBaseUrl: "https://registry.npmjs.org/", runtimeHint: "npx" }, ["npx", "-y", "@a/files@1.2.3"]],
  [{ registryType: "pypi", identifier: "files" }, ["uvx", "files@1.2.3"]],
  [
    { registryType: "oci", identifier: "docker.io/a/files:1.2.3", version: undefined },
    ["docker", "run", "-i", "--rm", "docker.io/a/files:1.2.3"],
  ],
  [
    { registryType: "oci", identifier: "ghcr.io/a/files", environmentVariables: [{ name: "KEY", isRequired: true }] },
    ["docker", "run", "-i", "--rm", "-e", "KEY", "ghcr.io/a/files:1.2.3"],
  ],
  [
    {
      packageArguments: [
        { type: "positional", value: "serve" },
        { type: "named", name: "--port", default: "80" },
        { type: "named", name: "--left-out" },
      ],
    },
    ["npx", "-y", "@a/files@1.2.3", "serve", "--port", "80"],
  ],
])("a package is started by its runner in its exact version: %j", (members, words) => {
  expect(ofPackage(members)).toMatchObject({ type: "stdio", command: words[0], args: words.slice(1) });
});

test("required variables and headers are named, and optional ones left out", () => {
  const inputs = [{ name: "KEY", isRequired: true, isSecret: true }, { name: "MODE", value: "a" }, { name: "OTHER" }];
  expect(ofPackage({ environmentVariables: inputs })).toMatchObject({ env: ["KEY", "MODE"] });
  expect(ofRemote({ headers: inputs })).toEqual({ type: "http", url: REMOTE.url, headers: ["KEY", "MODE"] });
});

test.each<[object, string]>([
  [{ registryType: "mcpb" }, "packages from mcpb are not run"],
  [{ registryType: "__proto__" }, "packages from __proto__ are not run"],
  [{ identifier: "--node-options=--require=x" }, "the name of the package is invalid"],
  [{ identifier: "https://a.example/x.tgz" }, "the name of the package is invalid"],
  [{ registryType: "oci", identifier: "-v/:/host" }, "the name of the package is invalid"],
  [{ version: "latest" }, "no exact version"],
  [{ version: "^1.2.3" }, "no exact version"],
  [{ version: undefined }, "no exact version"],
  [{ registryBaseUrl: "https://npm.example" }, "it is in another registry: https://npm.example"],
  [{ runtimeHint: "bunx" }, "it is run by bunx"],
  [{ runtimeArguments: [{ type: "named", name: "-v", value: "/:/host" }] }, "that a person has to review"],
  [{ transport: { type: "sse" } }, "it answers over sse"],
  [{ environmentVariables: [{ name: "A=B", isRequired: true }] }, "the name of a variable is invalid"],
  [{ packageArguments: [{ type: "positional", valueHint: "folder", isRequired: true }] }, "has to provide folder"],
  [{ packageArguments: [{ type: "positional", value: "{folder}" }] }, "has to provide an argument"],
  [{ packageArguments: [{ type: "named", name: "--key", value: "a", isSecret: true }] }, "has to provide --key"],
])("a package is left to a person: %j", (members, reason) => {
  expect(ofPackage(members)).toEqual({ reason: expect.stringContaining(reason) });
});

test.each<[object, string]>([
  [{ type: "websocket" }, "transport is not known"],
  [{ url: "https://{tenant}.example.com/mcp" }, "fill in the address"],
  [{ url: "http://mcp.example.com/" }, "not https"],
  [{ url: "none" }, "not https"],
  [{ headers: [{ name: "a b", isRequired: true }] }, "the name of a header is invalid"],
])("an address is left to a person: %j", (members, reason) => {
  expect(ofRemote(members)).toEqual({ reason: expect.stringContaining(reason) });
});

test("ways to start are in document order, packages first, and a malformed document has none", () => {
  const words = ways({ remotes: [REMOTE], packages: [PACKAGE] })?.map((way) => way.words);
  expect(words).toEqual(["npm @a/files 1.2.3", "streamable-http https://mcp.example.com/mcp"]);
  expect(ways({})).toEqual([]);
  for (const value of [undefined, [], { packages: [] }, { name: "a", packages: [1] }, { name: "a", remotes: {} }]) {
    expect(waysToServer(value)).toBeUndefined();
  }
});
