--- File operations of workspace/applyEdit: the file of a buffer without unsaved changes is deleted
--- or moved, and the buffer goes with it.

local sync = require('agent_lsp.sync')

local M = {}

---@param uri string
---@return integer? bufnr
---@return string? reason why its file must stay
local function buffer_of(uri)
  local doc = sync.find(uri)
  if not doc then
    return nil
  elseif vim.bo[doc.bufnr].modified then
    return nil, 'the buffer has unsaved changes'
  end
  return doc.bufnr
end

---@param change lsp.DeleteFile
---@return string? reason
local function delete(change)
  local bufnr, why = buffer_of(change.uri)
  if why then
    return why
  end
  local ok, problem = vim.uv.fs_unlink(vim.uri_to_fname(change.uri))
  if not ok then
    return problem
  end
  if bufnr then
    vim.api.nvim_buf_delete(bufnr, { force = true })
  end
end

--- Puts the buffer of the moved file in the place of the old one, wherever that is shown.
---@param bufnr integer
---@param path string
local function follow(bufnr, path)
  local windows = vim.fn.win_findbuf(bufnr)
  local moved = vim.fn.bufadd(path)
  vim.bo[moved].buflisted = vim.bo[bufnr].buflisted
  vim.fn.bufload(moved)
  for _, window in ipairs(windows) do
    local view = vim.api.nvim_win_call(window, vim.fn.winsaveview)
    vim.api.nvim_win_set_buf(window, moved)
    vim.api.nvim_win_call(window, function()
      vim.fn.winrestview(view)
    end)
  end
  vim.api.nvim_buf_delete(bufnr, { force = true })
end

---@param change lsp.RenameFile
---@return string? reason
local function rename(change)
  local bufnr, why = buffer_of(change.oldUri)
  if why then
    return why
  end
  local from, to = vim.uri_to_fname(change.oldUri), vim.uri_to_fname(change.newUri)
  if vim.uv.fs_lstat(to) then
    return 'there is a file of that name'
  end
  vim.fn.mkdir(vim.fs.dirname(to), 'p')
  local ok, problem = vim.uv.fs_rename(from, to)
  if not ok then
    return problem
  end
  if bufnr then
    follow(bufnr, to)
  end
end

local operations = { delete = delete, rename = rename }

--- Does one operation, or tells why not.
---@param change lsp.DeleteFile|lsp.RenameFile|lsp.CreateFile
---@return lsp.ApplyWorkspaceEditResult
function M.handle(change)
  local operate = operations[change.kind]
  if not operate then
    return { applied = false, failureReason = 'this editor does not do that: ' .. change.kind }
  end
  local why = operate(change)
  return { applied = why == nil, failureReason = why }
end

return M
