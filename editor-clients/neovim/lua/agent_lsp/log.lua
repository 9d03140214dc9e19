--- The server's log: a file of its own, because Neovim takes for an error whatever a server writes
--- to its standard error.

local M = {}

---@return string
local function own()
  return vim.fs.joinpath(vim.fn.stdpath('log') --[[@as string]], 'agent_lsp.log')
end

--- The program and its arguments.
---@return string[]
function M.cmd()
  vim.fn.mkdir(vim.fs.dirname(own()), 'p')
  return { 'agent-lsp', 'lsp', '--log-file', own() }
end

--- Where the server logs: with a `cmd` of the user's own that names no file, in Neovim's log.
---@return string
function M.path()
  local cmd = (vim.lsp.config.agent_lsp or {}).cmd
  for i, word in ipairs(type(cmd) == 'table' and cmd or {}) do
    local path = word == '--log-file' and cmd[i + 1] or word:match('^%-%-log%-file=(.*)')
    if path then
      return path
    end
  end
  local log = vim.lsp.log
  return log and log.get_filename and log.get_filename() or vim.lsp.get_log_path()
end

--- Adds a line that was too long for the screen.
---@param line string
function M.add(line)
  pcall(vim.fn.writefile, { os.date('!%Y-%m-%dT%H:%M:%SZ ') .. line }, M.path(), 'a')
end

--- `:AgentLsp log`: shows its end.
function M.open()
  vim.cmd.tabedit({ args = { vim.fn.fnameescape(M.path()) }, mods = { silent = true } })
  vim.bo.autoread = true
  vim.cmd('normal! G')
end

return M
