import { layerChanges } from "../changes/layer-changes.ts";
import type { NameIndex } from "../signals/find-names.ts";
import { LAYERS, toolLayers } from "../tool/tool-layers.ts";
import { newFaults } from "./schema-faults.ts";
import { newContractTexts } from "./schema-texts.ts";
import type { SchemaVerdict } from "./schema-verdict.ts";
import type { ChangedTool, FingerprintedTool, RenamedTool, ToolChanges } from "./tool-drift.ts";
import { findingsOfTool, type LayeredFinding } from "./tool-findings.ts";
import { changeOfLayer } from "./tool-rules.ts";

/** Compares two versions of tools and says what their changed contracts mean. One judge serves one comparison of one server. */
export interface Judge {
  /** Sets how many tools with changed contracts are compared next and share the judge's steps. */
  expect(tools: number): void;
  /** Returns the differences between two versions of a tool. */
  changes(before: FingerprintedTool, after: FingerprintedTool): ToolChanges;
  /**
   * Returns the findings on tools that changed or were probably renamed.
   *
   * @param server The name of the tools' server, if it is known
   * @param known The names of all tools and servers
   */
  findings(
    server: string | undefined,
    drifts: readonly (ChangedTool | RenamedTool)[],
    known: NameIndex,
  ): LayeredFinding[];
}

/** A judge that compares place by place and proves nothing about a changed contract. */
export const UNJUDGED: Judge = {
  expect() {},
  changes({ definition: before }, { definition: after }) {
    const [old, now] = [toolLayers(before), toolLayers(after)];
    const schemas = [...newFaults(before, after)].map(
      ([schema, fault]): SchemaVerdict => ({ schema, verdict: "unknown", fault }),
    );
    const newTexts = newContractTexts(old.contract, now.contract);
    return {
      changes: LAYERS.flatMap((layer) =>
        layerChanges(layer, old[layer], now[layer]).map((change) => ({ ...change, layer })),
      ),
      ...(schemas.length > 0 && { schemas }),
      ...(newTexts.length > 0 && { newTexts }),
    };
  },
  findings(server, drifts, known) {
    const kinds = [changeOfLayer("contract")];
    return drifts.flatMap((drift) => findingsOfTool(server, drift, known, () => ({ kinds, proof: [] })));
  },
};
