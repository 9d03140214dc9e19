#!/bin/bash
# The main job, for real: a Neovim with unsaved text, and an assistant that
# reads and edits what the person sees.
set -euo pipefail
repo=$(cd "$(dirname "$0")/.." && pwd)
export AGENT_LSP=${AGENT_LSP:-$repo/bin/agent-lsp}
NVIM=${NVIM:-$("$repo/.ci/get-nvim.sh" forky "$repo/.cache/nvim-forky")}
exec "$NVIM" --headless -u NONE -i NONE -n -l "$repo/editor-clients/neovim/tests/demo.lua" "$repo/testdata/demo"
