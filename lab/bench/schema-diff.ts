import { compareSchemas } from "@agentprint/schema-diff";
import { Ajv, type Options } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { type Comparison, FEW_ROUNDS, type Suite } from "./measure.ts";
import { realSchemaPairs, type SchemaPair } from "./real-tools.ts";

const OPTIONS: Options = { strict: false, validateFormats: false, logger: false, validateSchema: false };

export const compareSuite: Suite = {
  title: "Comparing two schemas of one tool (compiling both with ajv = 1)",
  comparisons: () => [
    async () => {
      const pairs = await largestPairs();
      return comparison(`the ${pairs.length} largest pairs of real servers`, pairs);
    },
    async () => {
      const differing = (await largestPairs()).filter(
        ({ before, after }) => JSON.stringify(before) !== JSON.stringify(after),
      );
      return comparison(`the ${differing.length} of them that differ`, differing);
    },
  ],
};

async function largestPairs(): Promise<SchemaPair[]> {
  return (await realSchemaPairs()).slice(0, 100);
}

function comparison(name: string, pairs: readonly SchemaPair[]): Comparison {
  const compare = (): string =>
    pairs.map(({ before, after, direction }) => compareSchemas(before, after, { direction }).verdict).join();
  return {
    name,
    reference: "ajv compile",
    ours: "agentprint",
    bar: 1,
    rounds: FEW_ROUNDS,
    contenders: {
      agentprint: compare,
      "ajv compile": () => pairs.map(({ before, after }) => [compile(before), compile(after)].length),
    },
  };
}

/** These Ajv instances are created before the measurement, so that it times only the schema. */
const [older, newer] = [new Ajv(OPTIONS), new Ajv2020(OPTIONS)];

function compile(schema: object): unknown {
  const ajv = /draft-0/.test(String((schema as { $schema?: unknown }).$schema)) ? older : newer;
  const validate = ajv.compile(schema);
  ajv.removeSchema(schema);
  return validate;
}
