--- codecompanion.nvim finds this by its name: `extensions = { agent_lsp = {} }` in its setup.

return {
  setup = function()
    require('agent_lsp.integrations').codecompanion()
  end,
}
