import { EXIT } from "@agentprint/findings";
import type { GuardEvent, GuardOptions } from "@agentprint/guard";
import type { ProxyOutput, Recording } from "@agentprint/guard-proxy";
import { Gateway, LOOPBACK, RemoteEndpoint, StdioEndpoint } from "@agentprint/guard-proxy/http";
import type { HttpTarget } from "@agentprint/mcp-visit";
import { headerVariable } from "../launch/server-target.ts";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import { canAsk } from "../terminal/ask.ts";
import { confirm } from "../terminal/confirm.ts";
import { printNotices } from "../terminal/notices.ts";
import { printError } from "../terminal/report-error.ts";
import type { GuardEnd } from "./guard-end.ts";
import { askRemote } from "./guard-login.ts";
import type { GuardCommandOptions } from "./guard-options.ts";
import { GuardedRoute, type MakeEndpoint } from "./guarded-route.ts";
import type { GuardedServer } from "./guarded-target.ts";
import type { LoadedLock } from "./load-lock.ts";
import { makeGuard } from "./make-guard.ts";
import { onListing } from "./on-listing.ts";
import { ownToken, TOKEN } from "./own-token.ts";
import { startPinned } from "./start-pinned.ts";
import { watchLock } from "./watch-lock.ts";

/**
 * The maximum length of a client's message, in bytes. The guard's own limit is lower, and a message that exceeds only
 * that one gets an answer.
 */
const MAX_BODY = 32 * 1024 * 1024;

/** Guards servers over streamable HTTP until the process is asked to end. */
export async function guardHttp(
  context: Context,
  servers: readonly GuardedServer[],
  loaded: LoadedLock,
  options: GuardCommandOptions & { readonly http: string },
  recording: Recording,
): Promise<GuardEnd> {
  const [, host = "127.0.0.1", portText = "0"] = /^(.*):(\d+)$/.exec(options.http) ?? [];
  const token = options.login ? await ownToken(context) : context.env[TOKEN] || undefined;
  if (token === undefined && !LOOPBACK.includes(host.toLowerCase())) {
    throw new CliError("usage", `${host} can be reached by others, and nobody has to present a token`, {
      expected: `a token in ${TOKEN}, or an address of this machine such as 127.0.0.1`,
    });
  }
  const ask = askOnTerminal(context);
  const routes: ReadonlyMap<string, GuardedRoute> = new Map(
    servers.map((server): [string, GuardedRoute] => {
      const { name } = server.entry;
      const onListed = onListing(options.recheck, async () => routes.get(name)?.prove());
      const onEvent = (event: GuardEvent): void => {
        recording.onEvent(event);
        onListed(event);
      };
      const guard = makeGuard(name, loaded, options, { onEvent, ...(ask && { ask }) });
      const makeEndpoint: MakeEndpoint = (target, inForce) => {
        if (target.type === "stdio") {
          const { lock, dryRun } = options;
          const launch = { name, launched: server.launched, lock, inForce, dryRun };
          return new StdioEndpoint(proxyOutputOf(context), () => startPinned(context, launch), guard, recording);
        }
        const headers = token === undefined ? {} : headersFromEnvironment(context, target);
        const ask = askRemote(context, { name, target, guard, inForce }, options);
        const { passesAuthorization } = server;
        return new RemoteEndpoint(target, guard, { ask, server: name, headers, passesAuthorization, recording });
      };
      return [name, new GuardedRoute(context, server, { guard, loaded, isDryRun: options.dryRun }, makeEndpoint)];
    }),
  );
  const gateway = new Gateway(routes, { host, port: Number(portText), token, maxBody: MAX_BODY });
  const port = await gateway.listen().catch((error: unknown) => {
    throw new CliError("usage", `cannot listen at ${options.http}`, {
      expected: "an address of this machine, and a port that is free",
      cause: error,
    });
  });
  const watcher = watchLock(context, options, loaded, (replaced) => {
    for (const route of routes.values()) {
      try {
        route.replaceLock(replaced);
      } catch (error) {
        // A failure for one server must not keep the new lock from other servers.
        printError(context, error);
      }
    }
  });
  const addresses = servers.map(({ entry }) => `http://${host}:${port}/${encodeURIComponent(entry.name)}`);
  printNotices(context, [`the guard answers at ${addresses.join(" ")}`]);
  const signal = await asked(context);
  watcher.close();
  await gateway.close();
  return { exitCode: EXIT.same, signal };
}

/** Returns the values of the pinned headers, because a client's token for the guard does not work for the server. */
function headersFromEnvironment({ env }: Context, { launch }: HttpTarget): Record<string, string> {
  const names = launch.type === "http" ? launch.headers : [];
  return Object.fromEntries(
    names.flatMap((name): [string, string][] => {
      const value = env[headerVariable(name)];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Resolves with the signal when the process receives one, or is asked to end in another way. */
function asked(context: Context): Promise<NodeJS.Signals | undefined> {
  return new Promise((resolve) => {
    const stop = context.signals?.listen((signal) => {
      stop?.();
      resolve(signal);
    });
    context.signal?.addEventListener("abort", () => resolve(undefined), { once: true });
  });
}

/**
 * Returns a function that asks the person at the terminal about calls, one at a time, for clients that cannot ask their
 * user. Returns `undefined` without a terminal, because the standard input of a guard between two pipes belongs to the
 * client.
 */
function askOnTerminal(context: Context): GuardOptions["ask"] {
  if (!canAsk(context)) return undefined;
  let last: Promise<unknown> = Promise.resolve();
  return ({ server, tool, reason }) => {
    const question = `Call ${JSON.stringify(tool)} of the server ${JSON.stringify(server)}? Reason: ${reason}.`;
    const answer = last.then(() => confirm(context, question, false));
    last = answer.catch(() => undefined);
    return answer;
  };
}

/** Returns the output of a proxy that runs in the context of a command. */
function proxyOutputOf(context: Context): ProxyOutput {
  return {
    stderr: context.stderr,
    secrets: () => context.hidden.stream(),
    notice: (text) => printNotices(context, [text]),
    fail: (error) => printError(context, error),
  };
}
