#!/bin/sh
# Runs publish.mjs with a program that is none of the checkout.
set -euf
. "$GITHUB_ACTION_PATH/integrations/github-action/search-path.sh"
exec env -u NODE_OPTIONS -u NODE_PATH -u LD_PRELOAD -u LD_LIBRARY_PATH -u LD_AUDIT node "$GITHUB_ACTION_PATH/integrations/github-action/publish.mjs"
