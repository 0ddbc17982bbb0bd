#!/bin/sh
# Runs `agentprint check` with the inputs of the action, which are in the environment, and ends with its exit code:
# 0 the same, 1 drift, 2 could not tell. Whatever goes wrong before the check is 2.
set -euf

code=2
folder=$(mktemp -d "$RUNNER_TEMP/agentprint.XXXXXX")

finish() {
  {
    echo "exit-code=$code"
    for output in report:json sarif:sarif markdown:md; do
      file=$folder/report.${output#*:}
      if [ -f "$file" ]; then echo "${output%%:*}=$file"; fi
    done
  } >>"$GITHUB_OUTPUT"
  exit "$code"
}
trap finish EXIT

refuse() {
  echo "::error title=agentprint::$1"
  exit 2
}

if [ "$GITHUB_EVENT_NAME" = pull_request_target ]; then
  refuse 'pull_request_target gives the commands of a stranger your secrets: use pull_request'
fi
case $INPUT_ALLOW_CHANGED_LAUNCH in
true | false) ;;
*) refuse 'allow-changed-launch: expected true or false' ;;
esac
cd -- "$INPUT_WORKING_DIRECTORY" || refuse 'working-directory: there is no such folder'

set -- check "--lock=$INPUT_LOCK" --format github \
  --also "json=$folder/report.json" --also "sarif=$folder/report.sarif" --also "markdown=$folder/report.md"
if [ -n "$INPUT_CONFIG" ]; then set -- "$@" "--config=$INPUT_CONFIG"; fi
if [ -n "$INPUT_MCP_CONFIG" ]; then set -- "$@" "--mcp-config=$INPUT_MCP_CONFIG"; fi
if [ -n "$INPUT_BASE" ]; then
  case $INPUT_BASE in -*) refuse 'base: expected a commit' ;; esac
  # A checkout has one commit, unless fetch-depth says otherwise.
  if ! git cat-file -e "$INPUT_BASE^{commit}" 2>/dev/null; then
    git fetch --quiet --no-tags --depth=1 origin "$INPUT_BASE" ||
      refuse 'base: origin does not give this commit; check it out with fetch-depth: 0'
    INPUT_BASE=$(git rev-parse FETCH_HEAD)
  fi
  set -- "$@" "--base=$INPUT_BASE"
  if [ "$INPUT_ALLOW_CHANGED_LAUNCH" = true ]; then set -- "$@" --allow-changed-launch; fi
fi
# One argument on each line, so that an argument can have spaces.
IFS='
'
# shellcheck disable=SC2086 # the words of the input are split, and set -f keeps them from being patterns
set -- "$@" $INPUT_ARGS
unset IFS

version=$INPUT_VERSION
if [ -z "$version" ]; then
  version=$(node -p 'require(process.argv[1]).version' "$GITHUB_ACTION_PATH/apps/cli/package.json")
fi
# Outside of the checkout: neither its .npmrc nor its node_modules decide which program judges.
(cd "$folder" && npm install --prefix "$folder" --no-audit --no-fund --ignore-scripts "agentprint@$version") >&2 ||
  refuse 'npm could not install agentprint'

"$folder/node_modules/.bin/agentprint" "$@" && code=0 || code=$?
if [ "$code" -gt 2 ]; then code=2; fi
