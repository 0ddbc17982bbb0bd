import { SHEETS } from "./sheets.ts";

/** The agentprint mark as an HTML element, for pages whose policy does not allow loading pictures. */
export const MARK =
  '<svg class="mark" aria-hidden="true" width="24" height="24" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b57d0"/><g fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"><path d="M8 9h16M8 15h10M8 27h13"/><path d="M8 21h16" stroke="#ffd166"/></g></svg>';

/**
 * Colours, fonts and sizes as CSS variables, followed by styles for elements and for the few classes that all pages
 * share.
 */
export const STYLE: string = SHEETS;
