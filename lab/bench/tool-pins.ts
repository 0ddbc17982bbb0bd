import { hashCanonical } from "@agentprint/canonical-json";
import { compareTools, pinTools, type ToolComparison } from "@agentprint/tool-pins";
import type { Suite } from "./measure.ts";
import { FEW_ROUNDS } from "./measure.ts";

const UNCHANGED = 100;
const MANY = 20_000;
/** The number of smaller listings, each a tenth of the size, which together have as many tools. */
const TENTHS = 10;

function toolOf(name: string, index: number): object {
  const path = { type: "string", description: `The path of file ${index}, from the root of the project` };
  return {
    name,
    description: `Reads file ${index} from the disk and returns its text with line numbers, so that a model can name a line`,
    inputSchema: {
      type: "object",
      properties: { path, [`option${index}`]: { type: "integer", minimum: index } },
      required: ["path"],
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  };
}

/** Returns a function that compares `count` tools, half of which have new names. */
function halfRenamed(count: number): () => ToolComparison {
  const listing = (suffix: string): object[] =>
    Array.from({ length: count }, (_, index) =>
      toolOf(index % 2 === 0 ? `tool${index}` : `tool${index}${suffix}`, index),
    );
  const [pins, now] = [pinTools(listing("a"), { definitions: true }), listing("b")];
  return () => compareTools(pins, now);
}

export const comparePinsSuite: Suite = {
  title: "Comparing a listing of tools with pins (the reference = 1)",
  comparisons: (part = 1) => [
    () => {
      const tools = Array.from({ length: UNCHANGED }, (_, index) => toolOf(`tool${index}`, index));
      const pins = pinTools(tools, { definitions: true });
      return {
        name: `${UNCHANGED} unchanged tools`,
        reference: "hashCanonical",
        ours: "agentprint",
        // The comparison may take at most twice as long as hashing the tools.
        bar: 1 / 2,
        contenders: {
          agentprint: () => compareTools(pins, tools),
          hashCanonical: () => tools.map((tool) => hashCanonical(tool)),
        },
      };
    },
    () => {
      const count = Math.round(MANY * part);
      const [whole, tenth] = [halfRenamed(count), halfRenamed(count / TENTHS)];
      return {
        name: `${count} tools, half of them renamed`,
        reference: "ten of a tenth",
        ours: "agentprint",
        // The time is linear, apart from the effects of caches and of garbage collection in a larger heap.
        bar: 1 / 1.6,
        rounds: FEW_ROUNDS,
        contenders: {
          agentprint: whole,
          "ten of a tenth": () => {
            for (let done = 1; done < TENTHS; done++) tenth();
            return tenth();
          },
        },
      };
    },
  ],
};
