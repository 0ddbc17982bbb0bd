import type { ToolName, ToolState } from "../share/tools.ts";

/** What every tool gets: its fields, and how to change them. */
export interface ToolProperties<Name extends ToolName> {
  readonly state: ToolState<Name>;
  readonly onChange: (state: ToolState<Name>) => void;
}
