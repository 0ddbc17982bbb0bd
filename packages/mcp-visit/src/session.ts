import { STATUS_CODES } from "node:http";
import { printable } from "@agentprint/canonical-json";
import type { JsonObject } from "@agentprint/mcp-lock";
import { StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  ErrorCode,
  type JSONRPCMessage,
  type JSONRPCRequest,
  LATEST_PROTOCOL_VERSION,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/sdk/types.js";
import { withDeadline } from "./deadline.ts";
import { VisitError } from "./errors.ts";
import { isObject } from "./json-object.ts";
import type { Limits } from "./limits.ts";

interface Pending {
  readonly id: number;
  readonly method: string;
  resolve(result: JsonObject): void;
  reject(error: Error): void;
}

/**
 * An initialized MCP session over a transport of the SDK. The SDK's own client drops what its schemas do not know;
 * here every result stays as it came.
 */
export class Session {
  readonly #transport: Transport;
  readonly #limits: Limits;
  readonly #changed = new Set<string>();
  #capabilities: JsonObject = {};
  #lastId = 0;
  #pending: Pending | undefined;
  #failure: Error | undefined;

  constructor(transport: Transport, limits: Limits) {
    this.#transport = transport;
    this.#limits = limits;
    transport.onmessage = (message) => this.#receive(message);
    // Only the errors of our own guards are fatal: the SDK's HTTP transport also reports a missing event stream here.
    transport.onerror = (error) => {
      if (error instanceof VisitError) this.#fail(error);
    };
  }

  /** Starts the transport, initializes, and returns the server's whole answer. */
  async initialize(capabilities: JsonObject, clientInfo: JsonObject): Promise<JsonObject> {
    this.#capabilities = capabilities;
    const result = await withDeadline(
      this.#start({ protocolVersion: LATEST_PROTOCOL_VERSION, capabilities, clientInfo }),
      this.#limits.connectTimeout,
      "starting up",
      "--connect-timeout",
    );
    const { protocolVersion } = result;
    if (typeof protocolVersion !== "string" || !SUPPORTED_PROTOCOL_VERSIONS.includes(protocolVersion)) {
      throw new VisitError("server-garbage", `the server chose a protocol version that is not supported`, {
        where: `protocolVersion: ${shown(JSON.stringify(protocolVersion ?? null))}`,
        expected: SUPPORTED_PROTOCOL_VERSIONS.join(", "),
      });
    }
    this.#transport.setProtocolVersion?.(protocolVersion);
    await this.#send({ jsonrpc: "2.0", method: "notifications/initialized" });
    return result;
  }

  /** Sends a request and waits for its result. */
  async request(method: string, params: JsonObject): Promise<JsonObject> {
    return withDeadline(this.#ask(method, params), this.#limits.requestTimeout, method, "--request-timeout");
  }

  /** Gives up what is still waited for, so that no timer of it keeps the process alive. */
  abandon(): void {
    this.#fail(new VisitError("server-ended", "the session is over"));
  }

  /** Whether the server has announced, since the last call, that a list (`tools`, `prompts`, …) changed. */
  takeChanged(list: string): boolean {
    return this.#changed.delete(list);
  }

  async #start(params: JsonObject): Promise<JsonObject> {
    await this.#transport.start();
    return this.#ask("initialize", params);
  }

  #ask(method: string, params: JsonObject): Promise<JsonObject> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      if (this.#failure) return reject(this.#failure);
      this.#pending = { id, method, resolve, reject };
      this.#send({ jsonrpc: "2.0", id, method, params }).catch((error: unknown) => this.#fail(unreachable(error)));
    });
  }

  async #send(message: JSONRPCMessage): Promise<void> {
    await this.#transport.send(message);
  }

  #receive(message: JSONRPCMessage): void {
    if ("method" in message) {
      if ("id" in message) this.#answer(message);
      else if (message.method.endsWith("/list_changed")) this.#changed.add(message.method.split("/")[1] ?? "");
      return;
    }
    const pending = this.#pending;
    if (!pending || message.id !== pending.id) {
      this.#fail(
        new VisitError(
          "server-garbage",
          `the server answered a request that is not open: id ${shown(JSON.stringify(message.id ?? null))}`,
          {
            expected: pending ? `an answer to id ${pending.id} (${pending.method})` : "no answer",
          },
        ),
      );
      return;
    }
    this.#pending = undefined;
    if ("result" in message && isObject(message.result)) pending.resolve(message.result);
    else pending.reject(refusal(pending.method, "error" in message ? message.error : undefined));
  }

  /** A server may ask back. It gets a ping, an empty list of roots where roots were declared, and nothing else. */
  #answer({ id, method }: JSONRPCRequest): void {
    const reply = { jsonrpc: "2.0", id } as const;
    const error = { code: ErrorCode.MethodNotFound, message: `agentprint does not answer ${method}` };
    const message: JSONRPCMessage =
      method === "ping"
        ? { ...reply, result: {} }
        : method === "roots/list" && this.#capabilities["roots"]
          ? { ...reply, result: { roots: [] } }
          : { ...reply, error };
    this.#send(message).catch((cause: unknown) => this.#fail(unreachable(cause)));
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#pending?.reject(this.#failure);
    this.#pending = undefined;
  }
}

function refusal(method: string, error: { code: number; message: string } | undefined): VisitError {
  const why = error ? `with error ${error.code}: ${shown(error.message)}` : "with a result that is not an object";
  return new VisitError("server-error", `the server answered ${method} ${why}`, {
    expected: "a result",
    rpcCode: error?.code,
  });
}

function unreachable(error: unknown): Error {
  if (error instanceof VisitError) return error;
  if (error instanceof StreamableHTTPError) return httpFailure(error);
  const { message, cause } = error instanceof Error ? error : new Error(String(error));
  const reason = cause instanceof Error ? `${message}: ${cause.message || String(Object.entries(cause))}` : message;
  return new VisitError("server-unreachable", `the request to the server failed: ${shown(reason)}`, {
    expected: "an MCP server that answers at this address",
    fix: "check the URL and that the server is running; headers are passed with --header",
    cause: error,
  });
}

function httpFailure(error: StreamableHTTPError): VisitError {
  const { code = -1 } = error;
  const said = error.message.replace(/^Streamable HTTP error: (Error POSTing to endpoint: )?/, "");
  // The SDK has no status for an answer that is fine by HTTP.
  const status = code < 0 ? undefined : `HTTP ${code} ${STATUS_CODES[code] ?? ""}`.trim();
  const answer = [status, shown(said)].filter((part) => part).join(": ");
  const denied = code === 401 || code === 403;
  return new VisitError("server-unreachable", `the server answered ${answer}`, {
    expected: "an MCP server that answers at this address",
    fix: denied
      ? "pass credentials with --header <NAME>; the value is read from AGENTPRINT_HEADER_<NAME>"
      : "check the URL and that the server is running; headers are passed with --header",
    cause: error,
  });
}

/** The beginning of what a server said, safe to show. */
function shown(text: string): string {
  return printable(text, 300);
}
