/// <reference lib="dom" />
import type { TrailEntry } from "@agentprint/recorder/events";
import { asAltered, type Row } from "../../row.ts";
import { FILTERS } from "../page-report.ts";
import { drawRow } from "./draw-row.ts";
import { byId } from "./elements.ts";

/** The maximum number of rows in the page. */
const PAGE_ROWS = 200;

/** Shows the rows that the reader has chosen, some at a time. */
export class Table {
  readonly #rows: readonly Row[];
  readonly #entryAt: (place: number) => Promise<TrailEntry | undefined>;
  #marked: ReadonlySet<number> = new Set();
  #withTask = false;
  /** The indexes of the rows that the reader has chosen. */
  #chosen: readonly number[] = [];
  #first = 0;
  /** The content from which each row's element was drawn. */
  #drawn: string[] = [];

  constructor(rows: readonly Row[], entryAt: (place: number) => Promise<TrailEntry | undefined>) {
    this.#rows = rows;
    this.#entryAt = entryAt;
    for (const id of ["sort", "find"]) byId(id).addEventListener("input", () => this.#choose(0));
    byId("filter").addEventListener("submit", (event) => event.preventDefault());
    byId("earlier").addEventListener("click", () => this.#show(this.#first - PAGE_ROWS));
    byId("later").addEventListener("click", () => this.#show(this.#first + PAGE_ROWS));
    byId("problem").addEventListener("click", () => this.#showProblem());
  }

  /** Shows the new rows; `marked` are the places of records with a problem. */
  update(marked: ReadonlySet<number>, withTask: boolean): void {
    this.#marked = marked;
    this.#withTask = withTask;
    this.#choose(this.#first);
    byId("problem").hidden = !this.#rows.some((row) => this.#isProblem(row));
  }

  #choose(first: number): void {
    const { sorts } = FILTERS[byId<HTMLSelectElement>("sort").value] ?? {};
    const words = byId<HTMLInputElement>("find").value.trim().toLowerCase();
    const isChosen = ({ sort, label, what, why, time }: Row): boolean =>
      (sorts?.includes(sort) ?? true) &&
      (words === "" || [label, what, ...why, time].some((text) => text.toLowerCase().includes(words)));
    this.#chosen = this.#rows.flatMap((row, index) => (isChosen(row) ? [index] : []));
    this.#show(first);
  }

  #show(first: number): void {
    const { length } = this.#chosen;
    this.#first = Math.max(0, Math.min(first, length - 1));
    const indexes = this.#chosen.slice(this.#first, this.#first + PAGE_ROWS);
    const last = this.#first + indexes.length;
    const chosen = length === this.#rows.length ? "" : ` chosen from ${this.#rows.length}`;
    byId("position").textContent =
      length === 0 ? "no such row" : `rows ${this.#first + 1} to ${last} of ${length}${chosen}`;
    byId<HTMLButtonElement>("earlier").disabled = this.#first === 0;
    byId<HTMLButtonElement>("later").disabled = last >= length;
    this.#draw(indexes.map((index) => this.#rows[index] as Row));
  }

  /** Redraws only the changed rows, so that opened and focused rows stay as they are. */
  #draw(rows: readonly Row[]): void {
    const list = byId("rows");
    const texts: string[] = [];
    for (const [index, each] of rows.entries()) {
      const row = this.#isAltered(each) ? asAltered(each) : each;
      const text = JSON.stringify([row, this.#withTask]);
      texts.push(text);
      if (this.#drawn[index] === text) continue;
      const element = drawRow({ row, withTask: this.#withTask, entryAt: this.#entryAt });
      const before = list.children[index];
      if (before) before.replaceWith(element);
      else list.append(element);
    }
    while (list.children.length > rows.length) list.lastElementChild?.remove();
    this.#drawn = texts;
  }

  #isAltered({ records }: Row): boolean {
    return records.some((place) => this.#marked.has(place));
  }

  #isProblem(row: Row): boolean {
    return this.#isAltered(row) || (row.tone === "bad" && (row.sort === "gap" || row.sort === "text"));
  }

  /**
   * Goes to the next row with a problem after the first shown row, and after the last one starts from the beginning.
   */
  #showProblem(): void {
    byId<HTMLSelectElement>("sort").value = "all";
    byId<HTMLInputElement>("find").value = "";
    const from = this.#chosen[this.#first] ?? -1;
    const found = this.#rows.findIndex((row, index) => index > from && this.#isProblem(row));
    const index = found >= 0 ? found : this.#rows.findIndex((row) => this.#isProblem(row));
    this.#choose(Math.max(0, index));
    byId("rows").querySelector("summary")?.focus();
  }
}
