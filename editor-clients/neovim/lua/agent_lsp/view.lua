--- Buffers that only show something: no file, gone when they are closed.

local M = {}

--- Shows lines in a window of their own below, without going there: who is typing goes on typing
--- where they are.
---@param name string shown as the buffer's name
---@param lines string[]
---@param filetype? string
---@return integer bufnr
---@return integer window
function M.show(name, lines, filetype)
  local bufnr = vim.api.nvim_create_buf(false, true)
  local split = {}
  for _, line in ipairs(lines) do
    vim.list_extend(split, vim.split(line, '\n'))
  end
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, split)
  vim.bo[bufnr].bufhidden = 'wipe'
  vim.bo[bufnr].modifiable = false
  vim.bo[bufnr].filetype = filetype or ''
  pcall(vim.api.nvim_buf_set_name, bufnr, ('agent-lsp://%s/%d'):format(name, bufnr))
  local height = math.max(5, math.min(#split, math.floor(vim.o.lines / 2)))
  local window = vim.api.nvim_open_win(bufnr, false, { split = 'below', win = -1, height = height })
  return bufnr, window
end

return M
