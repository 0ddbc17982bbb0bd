import { relative, resolve, sep } from "node:path";
import {
  ADDRESSES,
  ClientConfigError,
  type ConfigPath,
  nodeAt,
  type ParsedConfig,
  replaceText,
  textOfFile,
} from "@agentprint/client-configs";
import type { PlannedFile } from "../files/planned-file.ts";
import type { EditablePlace } from "../launch/editable-place.ts";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";

/** A word of a launch and its replacement. */
export interface EditedWord {
  /** The RFC 6901 JSON Pointer of the word, relative to the launch. */
  readonly pointer: string;
  readonly before: string;
  readonly after: string;
}

/** A configuration with its planned text. */
interface EditedConfig {
  readonly from: ParsedConfig;
  readonly to: ParsedConfig;
  readonly shown: readonly string[];
}

/** Configurations in which words of launches are replaced. Nothing is written. */
export class EditedConfigs {
  readonly #folder: string;
  /** The edited configurations, by path. */
  #configs: ReadonlyMap<string, EditedConfig> = new Map();

  constructor({ cwd }: Pick<Context, "cwd">) {
    this.#folder = resolve(cwd);
  }

  files(): PlannedFile[] {
    return [...this.#configs].map(([path, { from, to, shown }]) => {
      return { path: this.pathOf(path), from: textOfFile(from), text: textOfFile(to), shown };
    });
  }

  /** Returns the path that {@link files} gives a configuration: relative if it is below the working folder. */
  pathOf(path: string): string {
    return resolve(path).startsWith(this.#folder + sep) ? relative(this.#folder, resolve(path)) : path;
  }

  /** Returns whether {@link replaceWords} can replace these words in the entry at a place. */
  async hasWords(place: EditablePlace, words: readonly EditedWord[]): Promise<boolean> {
    try {
      let { to } = this.#configs.get(place.path) ?? { to: place.config };
      for (const word of words) to = await replaceWord(to, place, word);
      return true;
    } catch (error) {
      if (error instanceof CliError || error instanceof ClientConfigError) return false;
      throw error;
    }
  }

  /**
   * Replaces words in the entries at all these places, or in none.
   *
   * @param shown The lines that show the change, without secrets
   * @throws {@link CliError} `invalid-config` when an entry spells a word differently from the launch
   * @throws {@link ClientConfigError} `invalid-config` when the format cannot write the new word there
   */
  async replaceWords(
    places: readonly EditablePlace[],
    words: readonly EditedWord[],
    shown: readonly string[],
  ): Promise<void> {
    const edited = new Map(this.#configs);
    for (const place of places) {
      const known = edited.get(place.path) ?? { from: place.config, to: place.config, shown: [] };
      let { to } = known;
      for (const word of words) to = await replaceWord(to, place, word);
      edited.set(place.path, { from: known.from, to, shown: [...known.shown, ...shown] });
    }
    this.#configs = edited;
  }
}

async function replaceWord(
  config: ParsedConfig,
  { entry, file }: EditablePlace,
  { pointer, before, after }: EditedWord,
): Promise<ParsedConfig> {
  const hasIt = (path: ConfigPath): boolean => {
    const node = nodeAt(config, path);
    return node?.kind === "scalar" && node.value === before;
  };
  const path = pathsOf(config, entry, pointer).find(hasIt);
  if (path !== undefined) return replaceText(config, path, after);
  throw new CliError("invalid-config", `${file} lacks the text of the launch at ${pointer} of ${entry.join(".")}`, {
    fix: "make this edit by hand",
  });
}

/**
 * Returns the places where an entry can hold a word of a launch. Clients name an address differently, and Zed once
 * nested a launch under `command`.
 */
function pathsOf(config: ParsedConfig, entry: ConfigPath, pointer: string): ConfigPath[] {
  const [, member = "", index] = pointer.split("/");
  const command = nodeAt(config, [...entry, "command"]);
  const below = command?.kind === "table" ? [...entry, "command"] : entry;
  if (member === "url") return ADDRESSES.map((name) => [...entry, name]);
  if (member === "cwd") return [[...entry, "cwd"]];
  const inCommand = command?.kind === "list" ? command.items.length : 1;
  const word = index === undefined ? 0 : Number(index) + 1;
  if (word >= inCommand) return [[...below, "args", word - inCommand]];
  return command?.kind === "list"
    ? [[...entry, "command", word]]
    : [
        [...entry, "command"],
        [...below, "path"],
      ];
}
