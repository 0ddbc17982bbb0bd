#!/bin/sh
# Runs `agentprint check` with the inputs of the action, which are in the environment, and ends with its exit code:
# 0 the same, 1 drift, 2 could not tell. Whatever goes wrong before the check is 2.
#
# The checkout belongs to whoever opened the pull request. Nothing of it is entered, read or run before the program is installed
# outside of it; Git is asked about the repository at the top of the checkout, by name.
set -euf

# The search path without folders of the checkout.
. "$GITHUB_ACTION_PATH/integrations/github-action/search-path.sh"

code=2
folder=$(mktemp -d "$RUNNER_TEMP/agentprint.XXXXXX")
cd "$folder"
mkdir home

finish() {
  {
    echo "exit-code=$code"
    for output in report:json sarif:sarif markdown:md; do
      file=$folder/report.${output#*:}
      if [ -f "$file" ]; then echo "${output%%:*}=$file"; fi
    done
    if [ -n "${base-}" ]; then echo "base=$base"; fi
  } >>"$GITHUB_OUTPUT"
  exit "$code"
}
trap finish EXIT

refuse() {
  echo "::error title=agentprint::$1"
  exit 2
}

# What others wrote, without what the runner would take for a command. A line of the runner ends at a carriage return, too.
print() {
  tr '\r' '\n' <"$1" | LC_ALL=C sed -e 's/##/# #/g' -e 's/::/: :/g' >&2
}

# Runs a program without the variables of the job, but for those that lead to a registry or a server of Git.
clean() {
  for name in HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy no_proxy NODE_EXTRA_CA_CERTS; do
    eval "value=\${$name-}"
    if [ -n "$value" ]; then set -- "$name=$value" "$@"; fi
  done
  env -i PATH="$PATH" HOME="$folder/home" LC_ALL=C "$@"
}

# Git about the repository of the checkout: no other one, no hook, monitor, helper, replaced object or configuration of a user.
repository() {
  clean GIT_NO_REPLACE_OBJECTS=1 GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null GIT_ATTR_NOSYSTEM=1 GIT_NO_LAZY_FETCH=1 \
    GIT_ALLOW_PROTOCOL=file:http:https:ssh GIT_TERMINAL_PROMPT=0 git --git-dir="$root/.git" -c safe.bareRepository=explicit -c core.useReplaceRefs=false \
    -c core.hooksPath=/dev/null -c core.fsmonitor=false -c core.attributesFile=/dev/null -c core.alternateRefsCommand= \
    -c core.sshCommand= -c core.gitProxy= -c core.askPass= -c credential.helper= -c gc.auto=0 -c maintenance.auto=false \
    "$@"
}

# Makes sure that a commit is there: a checkout has one, unless fetch-depth says otherwise. A short name is that of a branch: Git would
# take a tag of the same name first, which is easier to push.
fetch_base() {
  case $INPUT_BASE in -* | +* | *:* | *[[:space:]]*) refuse 'base: expected a commit' ;; esac
  wanted_ref=$INPUT_BASE
  if ! printf %s "$INPUT_BASE" | grep -Eqx '[0-9a-f]{40}|[0-9a-f]{64}|refs/.*'; then
    wanted_ref=refs/heads/$INPUT_BASE
    if repository rev-parse --verify --quiet "refs/tags/${INPUT_BASE%%[~^]*}" >tag.log 2>&1; then
      refuse 'base: this is the name of a tag; give the full name, such as refs/tags/v1 or refs/remotes/origin/main, or an id'
    fi
  fi
  if repository cat-file -e "$INPUT_BASE^{commit}" 2>/dev/null; then return; fi
  repository fetch --quiet --no-tags --no-recurse-submodules --depth=1 --upload-pack=git-upload-pack origin "$wanted_ref" \
    >git.log 2>&1 || {
    print git.log
    refuse 'base: origin does not give this commit; check it out with fetch-depth: 0'
  }
  INPUT_BASE=$(repository rev-parse FETCH_HEAD)
}

if [ "$GITHUB_EVENT_NAME" = pull_request_target ]; then
  refuse 'pull_request_target gives the commands of a stranger your secrets: use pull_request'
fi
case $INPUT_ALLOW_CHANGED_LAUNCH in
true | false) ;;
*) refuse 'allow-changed-launch: expected true or false' ;;
esac

version=$INPUT_VERSION
integrity=${INPUT_INTEGRITY-}
if [ -z "$version" ]; then
  version=$(clean node -p 'require(process.argv[1]).version' "$GITHUB_ACTION_PATH/apps/cli/package.json")
  if [ -z "$integrity" ] && [ -f "$GITHUB_ACTION_PATH/integrations/github-action/integrity" ]; then
    integrity=$(cat "$GITHUB_ACTION_PATH/integrations/github-action/integrity")
  fi
fi
printf '%s' "$version" | tr '\n' ' ' | grep -Eqx '[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?' ||
  refuse 'version: expected an exact version, such as 1.2.3'
clean NPM_CONFIG_USERCONFIG="$folder/npmrc" NPM_CONFIG_GLOBALCONFIG="$folder/global.npmrc" NPM_CONFIG_CACHE="$folder/cache" \
  NPM_CONFIG_REGISTRY="${NPM_CONFIG_REGISTRY:-${npm_config_registry:-}}" \
  npm install --prefix "$folder" --no-audit --no-fund --ignore-scripts "agentprint@$version" >npm.log 2>&1 || {
  print npm.log
  refuse 'npm could not install agentprint'
}
# npm has compared the package with this digest.
installed='JSON.parse(require("fs").readFileSync("node_modules/.package-lock.json")).packages["node_modules/agentprint"].integrity'
if [ -n "$integrity" ] && [ "$(clean node -p "$installed")" != "$integrity" ]; then
  refuse 'integrity: npm installed another package'
fi

# Only now the checkout is looked at. The name of the folder is compared with where it is, so that no link stands for it.
wanted=$workspace
name=$INPUT_WORKING_DIRECTORY
case $name in "$checkout") name= ;; "$checkout"/*) name=${name#"$checkout"} ;; "$workspace" | "$workspace"/*) name=${name#"$workspace"} ;; esac
IFS=/
for part in $name; do
  case $part in
  '' | .) ;;
  ..) wanted=${wanted%/*} ;;
  *) wanted=$wanted/$part ;;
  esac
done
unset IFS
[ -d "$wanted" ] || refuse 'working-directory: there is no such folder'
[ "$(cd -P -- "$wanted" && pwd -P)" = "$wanted" ] || refuse 'working-directory: it leads through a symbolic link'
case $wanted/ in "$workspace"/*) ;; *) refuse 'working-directory: expected a folder of the checkout' ;; esac

set -- check "--lock=$INPUT_LOCK" --format github \
  --also "json=$folder/report.json" --also "sarif=$folder/report.sarif" --also "markdown=$folder/report.md"
if [ -n "$INPUT_CONFIG" ]; then set -- "$@" "--config=$INPUT_CONFIG"; fi
if [ -n "$INPUT_MCP_CONFIG" ]; then set -- "$@" "--mcp-config=$INPUT_MCP_CONFIG"; fi
if [ -n "$INPUT_BASE" ]; then
  root=
  at=$wanted
  while :; do
    if [ -d "$at/.git" ] && [ ! -L "$at/.git" ]; then root=$at; fi
    if [ "$at" = "$workspace" ]; then break; fi
    at=${at%/*}
  done
  [ -n "$root" ] || refuse 'base: the checkout is no Git repository'
  fetch_base
  base=$(repository rev-parse --verify --quiet "$INPUT_BASE^{commit}") || refuse 'base: expected a commit'
  set -- "$@" "--base=$INPUT_BASE"
  if [ "$INPUT_ALLOW_CHANGED_LAUNCH" = true ]; then set -- "$@" --allow-changed-launch; fi
fi
# One argument on each line, so that an argument can have spaces.
IFS='
'
# shellcheck disable=SC2086 # the words of the input are split, and set -f keeps them from being patterns
set -- "$@" $INPUT_ARGS
unset IFS

# The program gets the variables of the job, which servers may need, without those that load code into it.
cd -- "$wanted"
env -u NODE_OPTIONS -u NODE_PATH -u LD_PRELOAD -u LD_LIBRARY_PATH -u LD_AUDIT \
  "$folder/node_modules/.bin/agentprint" "$@" && code=0 || code=$?
if [ "$code" -gt 2 ]; then code=2; fi
