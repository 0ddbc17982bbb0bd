import type { PathSegment } from "../json-value/pointer.ts";

/** A container whose items are passed on one by one. */
export interface OpenContainer {
  readonly isObject: boolean;
  /** The number of items that have ended. */
  items: number;
  /** The last member's name. */
  name: string;
}

/** The containers around the current place, and the path to it. */
export class OpenContainers {
  readonly path: PathSegment[] = [];
  readonly #open: OpenContainer[] = [];
  /** The total length of the remembered names, in UTF-16 code units. */
  nameUnits = 0;

  get depth(): number {
    return this.#open.length;
  }

  get innermost(): OpenContainer | undefined {
    return this.#open.at(-1);
  }

  enter(isObject: boolean): void {
    this.#open.push({ isObject, items: 0, name: "" });
  }

  leave(): void {
    this.nameUnits -= this.#open.pop()?.name.length ?? 0;
    this.endItem();
  }

  /** Ends the item to which the path leads in the innermost container. */
  endItem(): void {
    const container = this.innermost;
    if (container === undefined) return;
    this.path.pop();
    container.items++;
  }

  /** Remembers the last name in a container. */
  rename(container: OpenContainer, name: string): void {
    this.nameUnits += name.length - container.name.length;
    container.name = name;
  }
}
