import { groupEntries } from "../group-entries.ts";
import type { Member, SchemaNode } from "./unfolded-schema.ts";

/** A text that applies at a place, and the schema that it is in. */
interface PlacedText {
  readonly member: Member;
  readonly node: SchemaNode;
}

/** The old text at a place and its replacement; one of them is absent if the text was added or removed. */
export interface TextPair {
  readonly before?: PlacedText;
  readonly after?: PlacedText;
}

/** Pairs, keyword by keyword, the differing texts of the schemas that apply at a place before and after the change. */
export function pairTexts(before: readonly SchemaNode[], after: readonly SchemaNode[]): TextPair[] {
  const kept = countTexts(after);
  const gone = textsOf(before).filter(({ member }) => !take(kept, member.text));
  const known = countTexts(before);
  const fresh = textsOf(after).filter(({ member }) => !take(known, member.text));
  const [byKeyword, freshByKeyword] = [groupTexts(gone), groupTexts(fresh)];
  return [...new Set([...byKeyword.keys(), ...freshByKeyword.keys()])].flatMap((keyword) => {
    const [from, to] = [byKeyword.get(keyword) ?? [], freshByKeyword.get(keyword) ?? []];
    return Array.from({ length: Math.max(from.length, to.length) }, (_, index): TextPair => {
      const [before, after] = [from[index], to[index]];
      return { ...(before && { before }), ...(after && { after }) };
    });
  });
}

function groupTexts(texts: readonly PlacedText[]): Map<string, PlacedText[]> {
  return groupEntries(texts.map((text) => [text.member.keyword, text]));
}

function textsOf(nodes: readonly SchemaNode[]): PlacedText[] {
  return nodes.flatMap((node) => node.prose.map((member) => ({ member, node })));
}

function countTexts(nodes: readonly SchemaNode[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { member } of textsOf(nodes)) counts.set(member.text, (counts.get(member.text) ?? 0) + 1);
  return counts;
}

function take(counts: Map<string, number>, text: string): boolean {
  const count = counts.get(text) ?? 0;
  if (count > 0) counts.set(text, count - 1);
  return count > 0;
}
