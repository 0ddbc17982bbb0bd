import type { FetchLike } from "@modelcontextprotocol/sdk/shared/transport.js";
import { createParser } from "eventsource-parser";
import { ByteBudget } from "./byte-budget.ts";
import { parseAnswer } from "./message.ts";

/**
 * A `fetch` that reads along: counts the bytes of every body and parses every message strictly before the SDK's
 * transport parses it leniently. The first violation is given to `onViolation` and breaks the body off.
 */
export function createGuardedFetch(maxBytes: number, onViolation: (error: Error) => void): FetchLike {
  const budget = new ByteBudget(maxBytes);
  return async (url, init) => {
    const response = await fetch(url, init);
    if (response.body === null) return response;
    const inspect = inspectorFor(response.headers.get("content-type") ?? "");
    const guard = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        guarded(() => {
          budget.spend(chunk.length);
          inspect?.push(chunk);
          controller.enqueue(chunk);
        });
      },
      flush() {
        if (response.ok) guarded(() => inspect?.end());
      },
    });
    function guarded(step: () => void): void {
      try {
        step();
      } catch (error) {
        if (error instanceof Error) onViolation(error);
        throw error;
      }
    }
    return new Response(response.body.pipeThrough(guard), response);
  };
}

interface Inspector {
  push(chunk: Uint8Array): void;
  end(): void;
}

function inspectorFor(contentType: string): Inspector | undefined {
  const mediaType = contentType.split(";")[0]?.trim().toLowerCase();
  if (mediaType === "application/json") return inspectJson();
  if (mediaType === "text/event-stream") return inspectEvents();
  return undefined;
}

function inspectJson(): Inspector {
  const chunks: Uint8Array[] = [];
  return {
    push: (chunk) => chunks.push(chunk),
    end: () => {
      parseAnswer(Buffer.concat(chunks));
    },
  };
}

function inspectEvents(): Inspector {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const parser = createParser({
    onEvent: ({ event, data }) => {
      if (data !== "" && (event === undefined || event === "message")) parseAnswer(data);
    },
  });
  return {
    push: (chunk) => parser.feed(decoder.decode(chunk, { stream: true })),
    end: () => parser.feed(decoder.decode()),
  };
}
