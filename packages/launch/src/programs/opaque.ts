const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** Programs that fetch their code or start it on another machine. */
export const FETCHERS: ReadonlySet<string> = words(
  "nix nix-shell dnx cargo gem mise asdf rtx nvm micromamba pixi jbang docker-compose kubectl ssh wsl cabal stack guix snap flatpak",
);

/** Programs whose own file, project or words name the code that runs in an unsupported form. */
const OTHERS = words(
  "make gmake just task rake gradle gradlew mvn mvnw ant sbt lein clj clojure bazel nx turbo lerna rush invoke tox nox hatch rye pdm pipenv pyenv rbenv nodenv jenv mix rebar3 erl iex irb pry ghci runghc dune opam zig swift dart flutter nim crystal v tmux screen expect script socat nc ncat websocat xargs parallel find awk gawk sed vim nvim emacs pm2 forever concurrently npm-run-all run-s run-p zx esno esrun vite-node babel-node swc-node ts-node-dev tsnd ts-node-esm ts-node-script ts-node-cwd electron nw uwsgi gunicorn uvicorn hypercorn daphne flask django-admin streamlit litestar ipython jupyter rails rackup puma unicorn thin artisan composer bundle bundler foreman honcho overmind hivemind wasmtime wasmer wine wine64 mono gdb lldb valgrind strace ltrace perf watchexec entr chokidar watchman reflex air supergateway mcp-remote mcpo mcphost smithery mcpm mcp-inspector scala groovy kotlinc sbcl guile racket tclsh wish octave nu elvish xonsh r rterm matlab sas node-gyp direnv chamber aws-vault infisical teller envconsul sops dotenvx env-cmd envchain systemd-run systemctl launchctl open start xdg-open osascript wscript cscript mshta rundll32 chroot unshare nsenter bwrap firejail proot fakeroot setpriv setarch linux32 linux64 su runuser gosu su-exec s6-setuidgid chpst daemonize dbus-run-session eval source . builtin trap if for while until case function",
);

/** Returns whether a program's words do not show what it runs. */
export function isOpaque(name: string): boolean {
  return FETCHERS.has(name) || OTHERS.has(name);
}
