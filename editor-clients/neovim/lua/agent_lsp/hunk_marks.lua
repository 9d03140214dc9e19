--- What assistants changed, in the text itself: a sign at each line, what was removed above it.
--- Keys to go there, to keep and to undo are set in buffers that have such changes.

local M = {}

local NAMESPACE = vim.api.nvim_create_namespace('agent_lsp.hunks')
local SIGNS = vim.api.nvim_create_namespace('agent_lsp.signs')

local SIGNED = 500 -- lines of one hunk that get a sign
local SIGNED_ALL = 20000 -- lines of a buffer that do
local REMOVED = 30 -- lines of what was removed that are shown

---@type table<integer, table<integer, string>> ids of hunks by mark, by buffer
local ids = {}

---@type table<integer, {mode: string, lhs: string}[]> keys that are set, by buffer
local keys = {}

local function define()
  for group, link in pairs({
    AgentLspAdded = 'Added',
    AgentLspChanged = 'Changed',
    AgentLspRemoved = 'Removed',
    AgentLspRemovedText = 'DiffDelete',
  }) do
    vim.api.nvim_set_hl(0, group, { link = link, default = true })
  end
end

---@param removed string
---@return table[] virt_lines
local function ghost(removed)
  local lines = vim.split((removed:gsub('\r?\n$', '')), '\r?\n')
  local shown = {}
  for i = 1, math.min(#lines, REMOVED) do
    local text = lines[i]:gsub('\t', (' '):rep(vim.bo.tabstop))
    shown[i] = { { text == '' and ' ' or text, 'AgentLspRemovedText' } }
  end
  if #lines > REMOVED then
    local more = ('… %d more lines'):format(#lines - REMOVED)
    shown[#shown + 1] = { { more, 'AgentLspRemovedText' } }
  end
  return shown
end

--- Lines above the first one are seen only where the window is told to show them.
---@param bufnr integer
---@param count integer
local function uncover(bufnr, count)
  for _, window in ipairs(vim.fn.win_findbuf(bufnr)) do
    vim.api.nvim_win_call(window, function()
      if vim.fn.line('w0') == 1 then
        vim.fn.winrestview({ topfill = count })
      end
    end)
  end
end

---@param bufnr integer
---@param first integer from 0
---@param last integer exclusive
---@param group string
---@param room integer lines that may be signed yet
---@return integer room
local function sign(bufnr, first, last, group, room)
  local stop = math.min(last, first + math.min(SIGNED, room))
  for row = first, stop - 1 do
    vim.api.nvim_buf_set_extmark(bufnr, SIGNS, row, 0, {
      sign_text = '┃',
      sign_hl_group = group,
      undo_restore = false,
    })
  end
  return room - math.max(0, stop - first)
end

---@param bufnr integer
---@param hunk agent_lsp.ReviewHunk
---@param room integer
---@return integer room
local function mark(bufnr, hunk, room)
  local count = vim.api.nvim_buf_line_count(bufnr)
  local first = math.min(hunk.range.start.line, count)
  local last = math.min(hunk.range['end'].line, count)
  local behind = first == count -- removed at the end of the text
  local row = behind and count - 1 or first
  local options = { end_row = last, end_col = 0, undo_restore = false, strict = false }
  if hunk.removed ~= '' then
    options.virt_lines = ghost(hunk.removed)
    options.virt_lines_above = not behind
  end
  local id = vim.api.nvim_buf_set_extmark(bufnr, NAMESPACE, row, 0, options)
  ids[bufnr][id] = hunk.id
  if row == 0 and options.virt_lines_above then
    uncover(bufnr, #options.virt_lines)
  end
  if last > first then
    local group = hunk.removed == '' and 'AgentLspAdded' or 'AgentLspChanged'
    return sign(bufnr, first, last, group, room)
  end
  vim.api.nvim_buf_set_extmark(bufnr, SIGNS, row, 0, {
    sign_text = behind and '▁' or '▔',
    sign_hl_group = 'AgentLspRemoved',
    undo_restore = false,
  })
  return room - 1
end

---@param words string
---@return string
local function command(words)
  return ('<Cmd>AgentLsp %s<CR>'):format(words)
end

--- Sets the keys, where the person has none of their own in this buffer.
---@param bufnr integer
local function map(bufnr)
  if keys[bufnr] or vim.g.agent_lsp_maps == false then
    return
  end
  keys[bufnr] = {}
  for _, item in ipairs({
    { 'n', ']a', command('next'), 'Next change of an assistant' },
    { 'n', '[a', command('prev'), 'Previous change of an assistant' },
    { 'n', 'gak', command('keep'), 'Keep the change' },
    { 'n', 'gau', command('undo'), 'Undo the change' },
    { 'x', 'gak', ':AgentLsp keep<CR>', 'Keep what is selected' },
    { 'x', 'gau', ':AgentLsp undo<CR>', 'Undo what is selected' },
  }) do
    local mode, lhs, rhs, desc = unpack(item)
    local theirs = vim.api.nvim_buf_call(bufnr, function()
      return vim.fn.maparg(lhs, mode, false, true).buffer == 1
    end)
    if not theirs then
      vim.keymap.set(mode, lhs, rhs, { buffer = bufnr, desc = desc, silent = true })
      table.insert(keys[bufnr], { mode = mode, lhs = lhs })
    end
  end
end

---@param bufnr integer
local function unmap(bufnr)
  for _, key in ipairs(keys[bufnr] or {}) do
    pcall(vim.keymap.del, key.mode, key.lhs, { buffer = bufnr })
  end
  keys[bufnr] = nil
end

--- Shows these changes, and no others.
---@param bufnr integer
---@param hunks agent_lsp.ReviewHunk[]
function M.set(bufnr, hunks)
  define()
  vim.api.nvim_buf_clear_namespace(bufnr, NAMESPACE, 0, -1)
  vim.api.nvim_buf_clear_namespace(bufnr, SIGNS, 0, -1)
  ids[bufnr] = #hunks > 0 and {} or nil
  local room = SIGNED_ALL
  for _, hunk in ipairs(hunks) do
    room = mark(bufnr, hunk, room)
  end
  if #hunks > 0 then
    map(bufnr)
  else
    unmap(bufnr)
  end
end

--- The buffer is gone.
---@param bufnr integer
function M.forget(bufnr)
  ids[bufnr], keys[bufnr] = nil, nil
end

--- The id of the change that the cursor is in, or of the one removed above its line.
---@return string?
function M.at_cursor()
  local bufnr = vim.api.nvim_get_current_buf()
  local row = vim.api.nvim_win_get_cursor(0)[1] - 1
  local options = { details = true, overlap = true }
  local marks = vim.api.nvim_buf_get_extmarks(bufnr, NAMESPACE, { row, 0 }, { row, -1 }, options)
  for _, found in ipairs(marks) do
    local stop = found[4].end_row or found[2]
    if row == found[2] or row < stop then
      return (ids[bufnr] or {})[found[1]]
    end
  end
end

--- Moves the cursor to the next change (1) or the previous one (-1), round the end of the buffer.
---@param step integer
function M.go(step)
  local bufnr = vim.api.nvim_get_current_buf()
  local row = vim.api.nvim_win_get_cursor(0)[1] - 1
  local forward = step > 0
  local function first(from, to)
    return vim.api.nvim_buf_get_extmarks(bufnr, NAMESPACE, from, to, { limit = 1 })[1]
  end
  local found
  if forward then
    found = first({ row + 1, 0 }, -1) or first(0, -1)
  else
    found = (row > 0 and first({ row - 1, -1 }, 0)) or first(-1, 0)
  end
  if not found then
    require('agent_lsp.notice').say('no change of an assistant in this buffer')
    return
  end
  vim.cmd("normal! m'")
  vim.api.nvim_win_set_cursor(0, { found[2] + 1, 0 })
end

return M
