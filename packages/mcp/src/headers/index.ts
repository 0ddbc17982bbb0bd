export {
  type HeaderAnnotation,
  type HeaderAnnotations,
  type InvalidHeader,
  readHeaderAnnotations,
} from "./header-annotations.ts";
export { decodeHeaderValue } from "./header-value.ts";
export { type ParamHeaders, paramHeaders, readParamHeaders } from "./param-headers.ts";
export { mirroredHeaders, nameMember } from "./request-headers.ts";
