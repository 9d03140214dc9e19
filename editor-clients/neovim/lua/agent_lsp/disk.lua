--- What the file of a buffer looked like when Neovim last read or wrote it.
---
--- Neovim keeps this too but does not tell, and asks the person a question when `:write` finds
--- another time than it remembers. A save that a server asked for must never stop at a question, so
--- it compares first.

local M = {}

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

return M
