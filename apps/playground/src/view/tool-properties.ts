import type { ToolName, ToolState } from "../share/tools.ts";

/** The properties of every tool: its fields, and the function that changes them. */
export interface ToolProperties<Name extends ToolName> {
  readonly state: ToolState<Name>;
  readonly onChange: (state: ToolState<Name>) => void;
}
