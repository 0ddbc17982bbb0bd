import type { Attributes, OpenCall } from "./open-call.ts";

const READING = ["cancel", "getReader", "pipeThrough", "pipeTo", "tee", "values", Symbol.asyncIterator] as const;

/** Reads the attributes for the end of the call, or the error that ended it, from a part of a stream. */
export type ReadPart = (part: unknown) => { readonly attributes?: Attributes; readonly error?: unknown };

/**
 * Reports each part that is read from a stream to a call. The owner of the stream reads it as before, part by part on
 * demand. The original object is observed, because a framework may continue to use it even if it is given another
 * object.
 */
export function observeStream(stream: ReadableStream<unknown>, call: OpenCall, read: ReadPart): void {
  const reader = stream.getReader();
  let attributes: Attributes = {};
  const see = (part: unknown): void => {
    const seen = read(part);
    if (seen.error !== undefined) call.threw(seen.error);
    attributes = { ...attributes, ...seen.attributes };
    call.part(part);
  };
  const observed = new ReadableStream<unknown>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) {
            call.finished(attributes);
            controller.close();
            return;
          }
          see(value);
          controller.enqueue(value);
        } catch (error) {
          call.threw(error);
          controller.error(error);
        }
      },
      cancel(reason) {
        call.left("abandoned");
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  for (const name of READING) {
    const value = (observed[name] as () => unknown).bind(observed);
    Object.defineProperty(stream, name, { value, configurable: true });
  }
  Object.defineProperty(stream, "locked", { get: () => observed.locked, configurable: true });
}
