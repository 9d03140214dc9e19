-- All that a user of the plugin writes: the plugin on the runtime path, and one line.
vim.opt.runtimepath:prepend(vim.env.AGENT_LSP_PLUGIN)
vim.lsp.enable('agent_lsp')
