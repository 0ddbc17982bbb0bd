export type { CheckFailure } from "./check-failure.ts";
export { eraOf, eraOfRequest, eraOfSession, LEGACY_VERSIONS, MODERN_VERSIONS } from "./eras.ts";
export { ITEM_KINDS, ITEMS, type ItemKind, itemName, nameAt } from "./item-kinds.ts";
export { MAX_MESSAGE_BYTES } from "./limits.ts";
export { LISTS, type ListKind, listOfMethod, UNREAD_LISTS } from "./lists.ts";
export { isLogLine } from "./log-line.ts";
export { errorCode, isNotification, isRequest, isResponse, isUsableId, type WithId } from "./message-kind.ts";
export {
  type AnswerMessage,
  type MessageParts,
  type NotificationMessage,
  type RequestMessage,
  readMessage,
  ShapeFault,
} from "./message-shape.ts";
export { isBegunAgain, nextCursorOf } from "./next-cursor.ts";
export { NumberCollector, type NumberTexts, numbersByPart } from "./number-texts.ts";
export { EXCHANGE_KEYS, META, RPC_ERROR } from "./protocol.ts";
export { idKey, isEchoOf, type RequestId } from "./request-id.ts";
export { isHandlingMember, serverInfoOf } from "./results.ts";
export {
  isRpcMessage,
  isRpcRequest,
  type RpcAnswer,
  type RpcError,
  type RpcMessage,
  type RpcRequest,
} from "./rpc-message.ts";
export type { ServerAuth } from "./server-auth.ts";
export type {
  ContentAnswers,
  Era,
  ListName,
  SessionAnswers,
  SessionName,
  UnreadList,
  View,
  VisitAnswers,
} from "./visit-answers.ts";
export { DEFAULT_LIMITS, DEFAULT_SETTLE, type Limits } from "./visit-limits.ts";
