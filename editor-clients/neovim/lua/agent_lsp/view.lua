--- Buffers that only show something: no file, gone when they are closed.

local M = {}

--- A buffer that shows lines.
---@param name string the buffer's name is made of it; a path may follow a slash
---@param lines string[] may hold line feeds
---@param filetype? string
---@return integer bufnr
function M.buffer(name, lines, filetype)
  local bufnr = vim.api.nvim_create_buf(false, true)
  vim.bo[bufnr].bufhidden = 'wipe'
  M.fill(bufnr, lines)
  vim.bo[bufnr].filetype = filetype or ''
  local unique = name:gsub('^[^/]*', ('%%0-%d'):format(bufnr))
  pcall(vim.api.nvim_buf_set_name, bufnr, 'agent-lsp://' .. unique)
  return bufnr
end

--- Has a buffer show other lines.
---@param bufnr integer
---@param lines string[] may hold line feeds
function M.fill(bufnr, lines)
  local split = {}
  for _, line in ipairs(lines) do
    vim.list_extend(split, vim.split(line, '\n'))
  end
  vim.bo[bufnr].modifiable = true
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, split)
  vim.bo[bufnr].modifiable = false
end

--- Shows lines in a window of their own below, without going there: who is typing goes on typing
--- where they are.
---@param name string shown as the buffer's name
---@param lines string[]
---@param filetype? string
---@return integer bufnr
---@return integer window
function M.show(name, lines, filetype)
  local bufnr = M.buffer(name, lines, filetype)
  local count = vim.api.nvim_buf_line_count(bufnr)
  local height = math.max(5, math.min(count, math.floor(vim.o.lines / 2)))
  local window = vim.api.nvim_open_win(bufnr, false, { split = 'below', win = -1, height = height })
  vim.wo[window].number = false
  vim.wo[window].relativenumber = false
  return bufnr, window
end

--- Puts a title above a window, cut where it is too long.
---@param window integer
---@param text string
function M.title(window, text)
  vim.wo[window][0].winbar = ' ' .. text:gsub('%%', '%%%%') .. '%<'
end

--- Has q close the buffer, for those whose closing decides nothing.
---@param bufnr integer
function M.closable(bufnr)
  vim.keymap.set('n', 'q', '<Cmd>bwipeout<CR>', { buffer = bufnr, desc = 'Close' })
end

return M
