import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { Writable } from "node:stream";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { browse, type OidcWorld, oidcWorld } from "../../../../packages/mcp-auth/test/support/oidc-world.ts";
import { makeServer } from "../../../../packages/mcp-visit/test/servers/sdk-v2.ts";
import { run } from "../../src/run.ts";
import { memoryContext, type RunResult } from "./run-cli.ts";
import { Workspace } from "./workspace.ts";

const client = { grant_types: ["client_credentials"], redirect_uris: [], response_types: [], scope: "mcp:read" };

/** A server behind a login, and a folder in which commands use it. */
export interface HostedWorld extends AsyncDisposable {
  readonly oidc: OidcWorld;
  readonly workspace: Workspace;
  /** The secret of the client `ci`; the variable `MCP_SECRET` has it. */
  readonly secret: string;
  readonly env: Readonly<Record<string, string>>;
  /** The output of the commands. */
  readonly results: RunResult[];
  /** The path of the file of logins. */
  readonly store: string;
  agentprint(...args: string[]): Promise<RunResult>;
  /** Logs in as a person who opens the address that is printed; returns the exit code. */
  logIn(...args: string[]): Promise<number>;
  /** Pins the server under the name `hosted`. */
  pin(): Promise<RunResult>;
}

/** The options of `login` in CI. */
export const CI: readonly string[] = ["--credentials", "--client-id", "ci", "--client-secret-env", "MCP_SECRET"];

export async function hostedWorld(): Promise<HostedWorld> {
  const secret = randomBytes(24).toString("base64url");
  const workspace = new Workspace();
  const oidc = await oidcWorld([{ client_id: "ci", client_secret: secret, ...client } as never]);
  const handle = toNodeHandler(createMcpHandler(makeServer, { legacy: "stateless" }));
  oidc.serve = (request, response) => handle(request as Parameters<typeof handle>[0], response);
  const env = { XDG_STATE_HOME: workspace.path("state"), AGENTPRINT_TOKEN_STORE: "file", MCP_SECRET: secret };
  const results: RunResult[] = [];
  const agentprint = async (...args: string[]): Promise<RunResult> => {
    const result = await workspace.run(args, env);
    results.push(result);
    return result;
  };
  return {
    oidc,
    workspace,
    secret,
    env,
    results,
    store: join(workspace.path("state"), "agentprint", "logins", "logins.json"),
    agentprint,
    logIn: async (...args) => {
      let text = "";
      const stderr = new Writable({
        write: (chunk, _encoding, done) => {
          text += chunk;
          const address = /^http\S+$/m.exec(String(chunk))?.[0];
          if (address !== undefined) void browse(address);
          done();
        },
      });
      const command = ["login", oidc.server, "--no-browser", ...args];
      const code = await run(memoryContext(command, { cwd: workspace.folder, env }, undefined, stderr));
      results.push({ code, stdout: "", stderr: text });
      return code;
    },
    pin: () => agentprint("pin", "--name", "hosted", "--url", oidc.server),
    [Symbol.asyncDispose]: async () => {
      await oidc[Symbol.asyncDispose]();
      workspace[Symbol.dispose]();
    },
  };
}
