/** The meaning of white space in a file's language, as far as the file name reveals the language. */
export interface Language {
  readonly name: string;
  /** Whether indentation is content. */
  readonly hasIndentation: boolean;
  /** Whether a line break ends a statement, an entry or a row. */
  readonly hasLines: boolean;
}

const row = (names: string): readonly (readonly [language: string, extensions: string])[] =>
  names.split("\n").flatMap((line) => {
    const [language = "", extensions] = line.trim().split(": ");
    return extensions === undefined ? [] : [[language, extensions] as const];
  });

const INDENTED = `
  CoffeeScript: coffee litcoffee
  Elm: elm
  F#: fs fsi fsx
  GDScript: gd
  Haml: haml
  Haskell: hs lhs
  Make: mk mak make
  Markdown: md markdown mdx
  Nim: nim nims
  Pug: jade pug
  Python: py pyi pyw pyx
  reStructuredText: rst
  Sass: sass
  Slim: slim
  Starlark: bzl bazel star
  Stylus: styl
  YAML: yaml yml`;

const LINED = `
  assembly: asm s
  Batch: bat cmd
  CSV: csv tsv
  diff: diff patch
  Docker: dockerfile containerfile
  Elixir: ex exs
  Fortran: f f90 f95 for
  Go: go
  HTTP: http rest
  INI: cfg cnf conf desktop ini properties service
  JSON Lines: jsonl ndjson
  Julia: jl
  Kotlin: kt kts
  Perl: pl pm
  PowerShell: ps1 psm1 psd1
  R: r
  Ruby: gemspec rake rb ru
  shell: bash bats command csh env fish ksh sh tcsh zsh
  Swift: swift
  TOML: toml
  Terraform: hcl tf tfvars
  Visual Basic: bas vb vbs
  Vim: vim`;

const NAMES = `
  build: Starlark
  codeowners: owners
  containerfile: Docker
  crontab: cron
  dockerfile: Docker
  gemfile: Ruby
  gnumakefile: Make
  go.mod: Go
  hosts: hosts
  justfile: just
  makefile: Make
  procfile: Procfile
  rakefile: Ruby
  sconstruct: Python
  snakefile: Python
  tiltfile: Starlark
  vagrantfile: Ruby
  workspace: Starlark`;

interface Tables {
  readonly byExtension: ReadonlyMap<string, Language>;
  readonly byName: ReadonlyMap<string, Language>;
}

let tables: Tables | undefined;

/** Builds the tables when they are first needed. */
function readTables(): Tables {
  const byExtension = new Map<string, Language>();
  const languages = new Map<string, Language>();
  for (const [text, hasIndentation] of [
    [INDENTED, true],
    [LINED, false],
  ] as const) {
    for (const [name, extensions] of row(text)) {
      const language = { name, hasIndentation, hasLines: true };
      languages.set(name, language);
      for (const extension of extensions.split(" ")) byExtension.set(extension, language);
    }
  }
  const byName = row(NAMES).map(
    ([file, name]) => [file, languages.get(name) ?? { name, hasIndentation: name === "just", hasLines: true }] as const,
  );
  return { byExtension, byName: new Map(byName) };
}

/** Files whose lines are read independently, recognized by patterns in their names. */
const BY_PATTERN: readonly (readonly [RegExp, string])[] = [
  [/^\.env(?:\.|$)/, "environment"],
  [/^\.[a-z]*ignore$/, "ignore"],
  [/^(?:dockerfile|containerfile)\./, "Docker"],
  [/^(?:requirements|constraints)[\w.-]*\.(?:txt|in)$/, "requirements"],
  [/^\.(?:bash|zsh|ksh)?(?:rc|profile|_profile|_login|_logout|aliases)$|^\.(?:bash|zsh)rc$|^\.profile$/, "shell"],
  [/^\.(?:editorconfig|gitattributes|gitconfig|gitmodules|npmrc|yarnrc|netrc|inputrc|mailmap)$/, "configuration"],
];

/**
 * Returns the language of the file at a path, or `undefined` if the name implies no language in which white space has a
 * meaning.
 */
export function languageOf(path: string): Language | undefined {
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1).toLowerCase();
  tables ??= readTables();
  const known = tables.byName.get(name) ?? tables.byExtension.get(name.slice(name.lastIndexOf(".") + 1));
  if (known) return known;
  const files = BY_PATTERN.find(([pattern]) => pattern.test(name))?.[1];
  return files === undefined ? undefined : { name: `${files} files`, hasIndentation: false, hasLines: true };
}
