export { type Dialect, type Draft, dialectOf } from "./dialect.ts";
export { JsonSchemaError, type JsonSchemaErrorCode } from "./errors.ts";
export {
  contentOf,
  isKeyword,
  isMeaningful,
  isProse,
  type Keyword,
  type KeywordContent,
  type KeywordKind,
  keywordOf,
  keywordsOf,
} from "./keywords.ts";
export type { LibrarySchema, SchemaView, SchemaWriter, WrittenSchema } from "./library/library-schema.ts";
export { schemaWriter } from "./library/schema-writer.ts";
export { someMember } from "./members.ts";
export { pairElements, pairScalars } from "./pair-elements.ts";
export type { Meter, Place, Resolution } from "./place.ts";
export { renumberDefinitions } from "./renumber-definitions.ts";
export { SchemaDocument } from "./schema-document.ts";
export { formOf, keywordSlots, pathOf, type SchemaSlot, schemaSlots } from "./schema-slots.ts";
export { type WalkOptions, walkSchemas } from "./walk-schemas.ts";
