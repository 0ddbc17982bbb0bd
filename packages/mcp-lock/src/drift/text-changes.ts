import { compareCodeUnits, type JsonChange } from "@agentprint/canonical-json";

/** Texts by pointer. */
type Texts = Readonly<Record<string, string>>;

/** Returns a change for each text that differs, or that only one of the records has, in the order of the pointers. */
export function textChanges(before: Texts = {}, after: Texts = {}): JsonChange[] {
  const pointers = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort(compareCodeUnits);
  return pointers.flatMap((pointer): JsonChange[] => {
    const [was, is] = [before[pointer], after[pointer]];
    if (was === is) return [];
    return [{ pointer, ...(was !== undefined && { before: was }), ...(is !== undefined && { after: is }) }];
  });
}
