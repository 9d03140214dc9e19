--- The server's log: a file of its own, because Neovim takes for an error whatever a server writes
--- to its standard error.

local M = {}

--- Where the server logs unless the user's own `cmd` says otherwise.
---@return string
function M.path()
  return vim.fs.joinpath(vim.fn.stdpath('log') --[[@as string]], 'agent_lsp.log')
end

--- The program and its arguments.
---@return string[]
function M.cmd()
  vim.fn.mkdir(vim.fs.dirname(M.path()), 'p')
  return { 'agent-lsp', 'lsp', '--log-file', M.path() }
end

--- Adds a line that was too long for the screen.
---@param line string
function M.add(line)
  vim.fn.mkdir(vim.fs.dirname(M.path()), 'p')
  pcall(vim.fn.writefile, { os.date('!%Y-%m-%dT%H:%M:%SZ ') .. line }, M.path(), 'a')
end

--- `:AgentLsp log`: shows its end.
function M.open()
  vim.cmd.tabedit({ args = { vim.fn.fnameescape(M.path()) }, mods = { silent = true } })
  vim.bo.autoread = true
  vim.cmd('normal! G')
end

return M
