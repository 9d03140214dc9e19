--- agent_lsp: what you see in Neovim, saved or not, is what the assistant reads, searches and
--- edits.
---
--- `vim.lsp.enable('agent_lsp')` is all the set-up there is. This module is for scripts and
--- mappings.

local M = {}

--- Calls one of the server's tools, as an assistant does. Everything typed before is in what the
--- tool sees. The callback's `err` is a failure of the call itself: no server, cancelled, the
--- server ended. A tool that refuses gives a result whose `isError` is true.
---
---@param tool string for instance 'read_file'
---@param arguments? table the tool's input
---@param callback agent_lsp.Callback called once, on the main loop
---@return fun() cancel
function M.call(tool, arguments, callback)
  vim.validate('tool', tool, 'string')
  vim.validate('arguments', arguments, 'table', true)
  vim.validate('callback', callback, 'function')
  return require('agent_lsp.calls').call(tool, arguments, callback)
end

--- For a statusline: state and attached assistants, '' where the plugin has nothing to do.
---@return string
function M.statusline()
  return require('agent_lsp.status').line()
end

--- The server's tools in the form that avante.nvim takes as `custom_tools`.
---@return table[]
function M.avante_tools()
  return require('agent_lsp.integrations').avante()
end

--- Offers the server's tools in mcphub.nvim, as its native server "agent_lsp".
function M.register_mcphub()
  require('agent_lsp.integrations').mcphub()
end

--- Ends the servers and starts them again, also those that were given up; every buffer is attached.
function M.restart()
  require('agent_lsp.restart').all()
end

return M
