/// <reference lib="dom" />
import { escapeText } from "@agentprint/canonical-json/text";

/** Returns the page's element with this id. */
export function byId<Element extends HTMLElement>(id: string): Element {
  return document.getElementById(id) as Element;
}

/** Returns an element with a class and content; text becomes a text node. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className = "",
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  if (className !== "") element.className = className;
  element.append(...children);
  return element;
}

/** Returns text of unknown origin with invisible characters shown and its direction isolated. */
export function shown(text: string): HTMLElement {
  return make("bdi", "", escapeText(text));
}
