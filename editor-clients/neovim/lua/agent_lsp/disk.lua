--- What the file of a buffer looked like when Neovim last read or wrote it.
---
--- Neovim keeps this too but does not tell, and asks the person a question when `:write` finds
--- another time than it remembers. A save that a server asked for must never stop at a question, so
--- it compares first.

local M = {}

local notice = require('agent_lsp.notice')

---@type table<integer, string> stamp by buffer
local seen = {}

---@param bufnr integer
---@return string stamp 'absent' for a file that is not there
local function stamp(bufnr)
  local stat = vim.uv.fs_stat(vim.api.nvim_buf_get_name(bufnr))
  if not stat then
    return 'absent'
  end
  return ('%d.%09d %d'):format(stat.mtime.sec, stat.mtime.nsec, stat.size)
end

---@param bufnr integer
function M.note(bufnr)
  seen[bufnr] = stamp(bufnr)
end

--- For a buffer that was read before anybody watched.
---@param bufnr integer
function M.note_first(bufnr)
  if not seen[bufnr] then
    M.note(bufnr)
  end
end

--- Whether the file is another than the one Neovim read or wrote last.
---@param bufnr integer
---@return boolean
function M.changed(bufnr)
  return seen[bufnr] ~= nil and seen[bufnr] ~= stamp(bufnr)
end

---@param bufnr integer
---@return boolean
function M.exists(bufnr)
  return stamp(bufnr) ~= 'absent'
end

--- What the person is told of a file that is no more what the buffer was read from.
---@param name string
---@param now string stamp
---@return string
local function message(name, now)
  if now == 'absent' then
    return name .. ' is gone from the disk; :write puts it back'
  end
  return name .. ' changed on disk; nothing is lost: :write! or :edit!'
end

---@param bufnr integer
---@return boolean
local function autoread(bufnr)
  local own = vim.bo[bufnr].autoread ---@type boolean? nil where the buffer has no value of its own
  if own == nil then
    return vim.go.autoread
  end
  return own
end

--- Takes what another program wrote into a clean buffer, if 'autoread' allows; tells once what it
--- must not take. Never asks, as Neovim itself would.
---@param bufnr integer
function M.watch(bufnr)
  if vim.bo[bufnr].buftype ~= '' or not M.changed(bufnr) then
    return
  end
  local now = stamp(bufnr)
  if now ~= 'absent' and not vim.bo[bufnr].modified then
    if autoread(bufnr) then
      require('agent_lsp.requests').check_time(bufnr)
    end
    return
  end
  local name = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(bufnr), ':~:.')
  notice.once(('disk %d %s'):format(bufnr, now), message(name, now))
end

return M
