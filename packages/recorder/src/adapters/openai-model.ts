import type { Model, ModelProvider, ModelRequest, StreamEvent } from "@openai/agents";
import { asObject } from "./as-object.ts";
import type { CallJournal, CallStart } from "./call-journal.ts";
import type { Attributes } from "./open-call.ts";
import { currentJournal } from "./openai-run.ts";
import { replaceMethods } from "./replace-methods.ts";

/**
 * Makes a model record its calls, whoever makes them.
 *
 * @param name The name under which the model was requested.
 */
export function recordModel(model: Model, name?: string): Model {
  return replaceMethods(model, ({ getResponse, getStreamedResponse }) => ({
    async getResponse(this: Model, request: ModelRequest) {
      const journal = currentJournal();
      if (journal === undefined) return getResponse.call(this, request);
      const call = await journal.begin(startOf(request, name));
      try {
        request.signal?.throwIfAborted();
        const response = await getResponse.call(this, request);
        call.returned(response.output, attributesOf(response.responseId, response.usage));
        return response;
      } catch (error) {
        call.threw(error, request.signal?.aborted);
        throw error;
      }
    },
    getStreamedResponse(this: Model, request: ModelRequest) {
      const journal = currentJournal();
      if (journal === undefined) return getStreamedResponse.call(this, request);
      return recordParts(journal, startOf(request, name), request, () => getStreamedResponse.call(this, request));
    },
  }));
}

/** Makes a provider's models record their calls. */
export function recordProvider(provider: ModelProvider): void {
  replaceMethods(provider, ({ getModel }) => ({
    getModel(this: ModelProvider, name?: string) {
      const model = getModel.call(this, name);
      if (!("then" in model)) return recordModel(model, name);
      return model.then((resolved) => recordModel(resolved, name));
    },
  }));
}

async function* recordParts(
  journal: CallJournal,
  start: CallStart,
  { signal }: ModelRequest,
  open: () => AsyncIterable<StreamEvent>,
): AsyncGenerator<StreamEvent> {
  const call = await journal.begin(start);
  let attributes: Attributes = {};
  try {
    signal?.throwIfAborted();
    for await (const part of open()) {
      if (part.type === "response_done") attributes = attributesOf(part.response.id, part.response.usage);
      call.part(part);
      yield part;
    }
    call.finished(attributes);
  } catch (error) {
    call.threw(error, signal?.aborted);
    throw error;
  } finally {
    call.left("abandoned");
  }
}

function startOf({ input, systemInstructions, tools, handoffs }: ModelRequest, name: string | undefined): CallStart {
  return {
    kind: "model-call",
    values: { messages: input, instructions: systemInstructions, tools: [...tools, ...handoffs] },
    attributes: { "gen_ai.request.model": name || undefined },
  };
}

function attributesOf(id: string | undefined, usage: unknown): Attributes {
  const { inputTokens, outputTokens } = asObject(usage);
  return {
    "gen_ai.response.id": id,
    "gen_ai.usage.input_tokens": inputTokens,
    "gen_ai.usage.output_tokens": outputTokens,
  };
}
