import type { ChainReport } from "@agentprint/trail/chain";
import type { Anchor } from "../anchors.ts";
import type { RowSort } from "../row.ts";

/** The command's findings, in the form that a page embeds. */
export interface PageReport {
  /** The number of records and of values in place of records. */
  readonly length: number;
  readonly chains: readonly Pick<ChainReport, "head" | "length" | "problemCount" | "taskId">[];
  readonly anchors: readonly Anchor[];
}

/** The row filters that a reader can choose. */
export const FILTERS: Readonly<Record<string, { readonly label: string; readonly sorts?: readonly RowSort[] }>> = {
  all: { label: "everything" },
  thought: { label: "thoughts", sorts: ["thought"] },
  call: { label: "calls", sorts: ["call"] },
  refused: { label: "what was refused", sorts: ["refused"] },
  link: { label: "links", sorts: ["link"] },
  gap: { label: "gaps", sorts: ["gap"] },
  anchor: { label: "checkpoints", sorts: ["anchor"] },
};
