--- What the server may ask of the editor: save a buffer, take a file's text from the disk, send a
--- text again.

local disk = require('agent_lsp.disk')
local sync = require('agent_lsp.sync')
local text = require('agent_lsp.text')

local M = {}

local NOT_OPEN = 'not open in the editor'

--- The first line of an error, without the place it was raised at.
---@param problem any
---@return string
local function reason(problem)
  local line = tostring(problem):match('[^\n]*')
  return line:match('(E%d+: .*)') or line:gsub('^.-:%d+: ', '')
end

--- Why writing this buffer cannot work, or would ask the person.
---@param bufnr integer
---@return string?
local function unwritable(bufnr)
  if vim.bo[bufnr].buftype ~= '' then
    return 'not an ordinary file buffer'
  elseif vim.api.nvim_buf_get_name(bufnr) == '' then
    return 'the buffer has no file name'
  elseif vim.bo[bufnr].readonly then
    return 'the buffer is read-only'
  elseif disk.changed(bufnr) then
    return 'the file has changed on disk since it was read'
  end
end

--- Runs an Ex command for a buffer without questions or messages.
---@param bufnr integer
---@param command string
---@return boolean ok
---@return any problem
local function run(bufnr, command)
  local confirm = vim.o.confirm
  vim.o.confirm = false
  local ok, problem = pcall(vim.api.nvim_buf_call, bufnr, function()
    vim.cmd('silent ' .. command)
  end)
  vim.o.confirm = confirm
  return ok, problem
end

--- `agent/save`: as `:write` would, autocommands included.
---@param params {uri: string}
---@return {saved: boolean, reason?: string}
function M.save(params)
  local doc = sync.find(params.uri)
  if not doc then
    return { saved = false, reason = NOT_OPEN }
  end
  local why = unwritable(doc.bufnr)
  if why then
    return { saved = false, reason = why }
  end
  if not vim.bo[doc.bufnr].modified and disk.exists(doc.bufnr) then
    return { saved = true }
  end
  local ok, problem = run(doc.bufnr, 'write')
  if not ok then
    return { saved = false, reason = reason(problem) }
  elseif vim.bo[doc.bufnr].modified then
    return { saved = false, reason = 'an autocommand kept the buffer from being written' }
  end
  return { saved = true }
end

--- Lets Neovim look at the file, as with 'autoread'. Reading again keeps cursor and, with
--- 'undoreload', the undo history.
---@param bufnr integer
function M.check_time(bufnr)
  local autoread, undoreload = vim.bo[bufnr].autoread, vim.o.undoreload
  vim.bo[bufnr].autoread = true
  vim.o.undoreload = -1
  local ok, problem = run(bufnr, 'checktime ' .. bufnr)
  vim.bo[bufnr].autoread = autoread
  vim.o.undoreload = undoreload
  return ok, problem
end

--- `agent/reload`: a clean buffer takes the text on disk.
---@param params {uri: string}
---@return {reloaded: boolean, reason?: string}
function M.reload(params)
  local doc = sync.find(params.uri)
  if not doc then
    return { reloaded = false, reason = NOT_OPEN }
  elseif vim.bo[doc.bufnr].modified then
    return { reloaded = false, reason = 'the buffer has unsaved changes' }
  elseif not disk.exists(doc.bufnr) then
    return { reloaded = false, reason = 'there is no such file' }
  end
  local ok, problem = M.check_time(doc.bufnr)
  if not ok then
    return { reloaded = false, reason = reason(problem) }
  elseif disk.changed(doc.bufnr) then
    return { reloaded = false, reason = 'the editor did not read the file again' }
  end
  return { reloaded = true }
end

--- `agent/resync`: the text as it is now, for a server that lost track.
---@param params {uri: string}
---@return table? result
---@return lsp.ResponseError? err
function M.resync(params)
  local doc = sync.find(params.uri)
  if not doc then
    return nil, vim.lsp.rpc_response_error(vim.lsp.protocol.ErrorCodes.InvalidParams, NOT_OPEN)
  end
  sync.refresh(doc)
  return {
    version = doc.version,
    text = sync.text(doc),
    line_rule = text.line_rule(doc.form),
  }
end

return M
