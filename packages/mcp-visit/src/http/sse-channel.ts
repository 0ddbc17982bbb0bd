import type { RpcMessage } from "@agentprint/mcp";
import type { Channel, ChannelEvents } from "../channel/channel.ts";
import { parseMessage } from "../channel/parse-message.ts";
import { VisitError } from "../errors.ts";
import { NoEra } from "../no-era.ts";
import type { Survivor } from "../survivor.ts";
import type { HttpTarget } from "../target.ts";
import { readEvents } from "./event-stream.ts";
import { HttpClient, mediaType, refusal, shown } from "./http-client.ts";

/**
 * The HTTP+SSE transport of version 2024-11-05: one event stream carries every answer, and its first event names the
 * address that messages are sent to.
 */
export class SseChannel implements Channel {
  readonly #client: HttpClient;
  readonly #closing = new AbortController();
  #events: ChannelEvents | undefined;
  #endpoint: URL | undefined;

  constructor(target: HttpTarget, userAgent: string, maxBytes: number) {
    this.#client = new HttpClient(target, userAgent, maxBytes);
  }

  /** @throws {@link NoEra} if no event stream names an address for messages. */
  async open(events: ChannelEvents): Promise<void> {
    try {
      await this.#open(events);
    } catch (error) {
      throw error instanceof VisitError ? new NoEra(error) : error;
    }
  }

  async #open(events: ChannelEvents): Promise<void> {
    this.#events = events;
    const { signal } = this.#closing;
    const response = await this.#client.fetch({ method: "GET", headers: { accept: "text/event-stream" }, signal });
    if (!response.ok) throw await refusal(response, this.#client.budget);
    if (mediaType(response) !== "text/event-stream") {
      await response.body?.cancel();
      throw notSseTransport(`the server answered with the content type ${shown(mediaType(response) || "none")}`);
    }
    await new Promise<void>((resolve, reject) => {
      const reading = readEvents(response, this.#client.budget, {}, (type, data) => {
        if (type === "endpoint" && this.#endpoint === undefined) {
          this.#endpoint = this.#sameOrigin(data);
          resolve();
        } else if (type === "message") this.#events?.message(parseMessage(data));
      });
      reading.then(
        () => this.#ended(reject, notSseTransport("the server ended its event stream")),
        (error: unknown) => this.#ended(reject, error),
      );
    });
  }

  async send(message: RpcMessage): Promise<void> {
    if (this.#endpoint === undefined) return;
    const headers = { "content-type": "application/json", accept: "application/json" };
    const call = { method: "POST", headers, body: JSON.stringify(message), signal: this.#closing.signal } as const;
    const response = await this.#client.fetch(call, this.#endpoint);
    if (!response.ok) throw await refusal(response, this.#client.budget);
    await response.body?.cancel();
  }

  listen(): Promise<void> {
    return Promise.resolve();
  }

  agreeOn(): void {}

  cancel(): void {}

  close(): Promise<readonly Survivor[]> {
    this.#events = undefined;
    this.#closing.abort();
    return Promise.resolve([]);
  }

  stderrTail(): string {
    return "";
  }

  logged(): undefined {}

  #ended(reject: (error: unknown) => void, error: unknown): void {
    reject(error);
    if (error instanceof VisitError) this.#events?.failure(error);
  }

  #sameOrigin(address: string): URL {
    const url = URL.canParse(address, this.#client.url.href) ? new URL(address, this.#client.url) : undefined;
    if (url?.origin === this.#client.url.origin) return url;
    throw notSseTransport(`the server wants messages to be sent to another origin: ${shown(address)}`);
  }
}

function notSseTransport(message: string): VisitError {
  return new VisitError("server-unreachable", message, {
    expected: "a streamable HTTP server, or an HTTP+SSE server (2024-11-05) whose message address has the same origin",
    fix: "check that the URL leads to an MCP server",
  });
}
