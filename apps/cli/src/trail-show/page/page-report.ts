import type { ChainReport } from "@agentprint/trail/chain";
import type { Anchor } from "../anchors.ts";
import type { RowSort } from "../row.ts";

/** What the command found, as a page has it. */
export interface PageReport {
  /** Number of records, and of values in place of records. */
  readonly length: number;
  readonly chains: readonly Pick<ChainReport, "head" | "length" | "problemCount" | "taskId">[];
  readonly anchors: readonly Anchor[];
}

/** What readers can choose to see. */
export const FILTERS: Readonly<Record<string, { readonly label: string; readonly sorts?: readonly RowSort[] }>> = {
  all: { label: "everything" },
  thought: { label: "thoughts", sorts: ["thought"] },
  call: { label: "calls", sorts: ["call"] },
  refused: { label: "what was refused", sorts: ["refused"] },
  link: { label: "links", sorts: ["link"] },
  gap: { label: "gaps", sorts: ["gap"] },
  anchor: { label: "checkpoints", sorts: ["anchor"] },
};
