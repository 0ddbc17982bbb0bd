import { join } from "node:path";
import { Writable } from "node:stream";
import { hostedServer } from "@agentprint/testing/mcp-servers/hosted-server";
import { browse, type OidcWorld } from "@agentprint/testing/oauth/oidc-world";
import { run } from "../../src/run-program.ts";
import { memoryContext, type RunResult } from "./run-cli.ts";
import { Workspace } from "./workspace.ts";

/** A server behind a login, and a folder in which commands use the server. */
export interface HostedWorld extends AsyncDisposable {
  readonly oidc: OidcWorld;
  readonly workspace: Workspace;
  /** The client secret of `ci`, which the variable `MCP_SECRET` holds. */
  readonly secret: string;
  readonly env: Readonly<Record<string, string>>;
  /** The results of all commands. */
  readonly results: RunResult[];
  /** The path of the file that stores logins. */
  readonly store: string;
  agentprint(...args: string[]): Promise<RunResult>;
  /** Logs in like a person who opens the printed URL; returns the exit code. */
  logIn(...args: string[]): Promise<number>;
  /** Pins the server under the name `hosted`. */
  pin(): Promise<RunResult>;
}

export async function hostedWorld(): Promise<HostedWorld> {
  const workspace = new Workspace();
  const { oidc, secret } = await hostedServer();
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
