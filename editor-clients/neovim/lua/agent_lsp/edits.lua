--- LSP text edits as changes of a buffer: from positions in the mirrored text to rows and columns,
--- from texts to lines.
---
--- An edit that reaches the end of the text needs care, because the final line end is no part of
--- any line: all such edits become one, the tail. Everything is worked out before the first change
--- is made.

local final_newline = require('agent_lsp.final_newline')
local fresh = require('agent_lsp.fresh')

local M = {}

---@alias agent_lsp.Step fun() One change of the buffer.

--- Rows and byte columns are 0-based, the end is exclusive. A row equal to the number of lines lies
--- behind the final line end.
---@class agent_lsp.Edit
---@field row integer
---@field col integer
---@field end_row integer
---@field end_col integer
---@field text string
---@field order integer place in the server's list

---@class agent_lsp.Target The buffer as the edits refer to it.
---@field doc agent_lsp.Doc
---@field count integer lines of the mirrored text; 0 when it is empty
---@field encoding string

---@param target agent_lsp.Target
---@param row integer
---@return string
local function line(target, row)
  return vim.api.nvim_buf_get_lines(target.doc.bufnr, row, row + 1, false)[1] or ''
end

--- Row and column of a position. In a CRLF file the column may be one beyond the line: between CR
--- and LF.
---@param target agent_lsp.Target
---@param position lsp.Position
---@return integer row
---@return integer col
local function locate(target, position)
  local doc = target.doc
  if position.line >= target.count then
    if doc.form.final or target.count == 0 then
      return target.count, 0
    end
    return target.count - 1, #line(target, target.count - 1)
  end
  local content = line(target, position.line)
  if doc.form.ending == '\r\n' then
    content = content .. '\r'
  end
  local limit = #content
  if doc.form.ending == '\r\n' and position.line == target.count - 1 and not doc.form.final then
    limit = limit - 1
  end
  local col = target.encoding == 'utf-8' and position.character
    or vim.str_byteindex(content, target.encoding, position.character, false)
  return position.line, math.min(col, limit)
end

--- Moves edges that lie between CR and LF to line edges.
---@param target agent_lsp.Target
---@param edit agent_lsp.Edit
local function align(target, edit)
  if target.doc.form.ending ~= '\r\n' then
    return
  end
  if edit.col > #line(target, edit.row) then
    edit.col = edit.col - 1
    edit.text = '\r' .. edit.text
  end
  if edit.end_col > #line(target, edit.end_row) then
    edit.end_row, edit.end_col = edit.end_row + 1, 0
    edit.text = edit.text .. '\n'
  end
end

---@param target agent_lsp.Target
---@param edit agent_lsp.Edit
---@return boolean
local function at_end(target, edit)
  if target.doc.form.final or target.count == 0 then
    return edit.end_row == target.count
  end
  local last = target.count - 1
  return edit.end_row == last and edit.end_col == #line(target, last)
end

--- What a buffer of this form cannot hold without changing it.
---@param target agent_lsp.Target
---@param edit agent_lsp.Edit
---@return string? reason
local function unfit(target, edit)
  local ending = target.doc.form.ending
  if ending == '\r\n' and edit.text:gsub('\r\n', ''):find('\n', 1, true) then
    return "the buffer's fileformat is dos: a line feed alone cannot be kept"
  elseif ending == '\r' and edit.text:find('\n', 1, true) then
    return "the buffer's fileformat is mac: a line feed cannot be kept"
  end
  for row = edit.row, math.min(edit.end_row, target.count - 1) do
    local content = line(target, row)
    if ending == '\r' and content:find('\r', 1, true) then
      return "the buffer's fileformat is mac: a line with a line feed in it cannot be edited"
    elseif not select(2, require('agent_lsp.text').utf8(content)) then
      return ('line %d is not valid UTF-8'):format(row + 1)
    end
  end
end

---@param target agent_lsp.Target
---@param list lsp.TextEdit[]
---@return agent_lsp.Edit[]? edits in ascending order; those at one place in the order given
---@return string? reason
local function convert(target, list)
  local converted = {} ---@type agent_lsp.Edit[]
  for i, item in ipairs(list) do
    local row, col = locate(target, item.range.start)
    local end_row, end_col = locate(target, item.range['end'])
    local edit = { row = row, col = col, end_row = end_row, end_col = end_col }
    edit.text, edit.order = item.newText, i
    align(target, edit)
    local why = unfit(target, edit)
    if why then
      return nil, why
    end
    converted[i] = edit
  end
  table.sort(converted, function(a, b)
    if a.row ~= b.row then
      return a.row < b.row
    elseif a.col ~= b.col then
      return a.col < b.col
    end
    return a.order < b.order
  end)
  return converted
end

---@param target agent_lsp.Target
---@param edit agent_lsp.Edit
---@return agent_lsp.Step
local function inner_step(target, edit)
  local doc = target.doc
  local lines = vim.split(edit.text, doc.form.ending, { plain = true })
  return function()
    local api = vim.api
    api.nvim_buf_set_text(doc.bufnr, edit.row, edit.col, edit.end_row, edit.end_col, lines)
    fresh.mark(doc.bufnr, edit.row, edit.col, lines)
  end
end

--- Makes one edit of all that reach the end of the text.
---@param sorted agent_lsp.Edit[] loses them
---@param target agent_lsp.Target
---@return agent_lsp.Edit? tail
local function take_tail(sorted, target)
  local tail
  while #sorted > 0 and at_end(target, sorted[#sorted]) do
    local edit = table.remove(sorted)
    edit.text = edit.text .. (tail and tail.text or '')
    tail = edit
  end
  return tail
end

--- Replaces all from the tail's start to the end of the buffer.
---@param target agent_lsp.Target
---@param tail agent_lsp.Edit
---@param body string without final line end
local function replace_end(target, tail, body)
  local bufnr, count = target.doc.bufnr, target.count
  local lines = vim.split(body, target.doc.form.ending, { plain = true })
  if tail.row < count then
    local last = #line(target, count - 1)
    vim.api.nvim_buf_set_text(bufnr, tail.row, tail.col, count - 1, last, lines)
  else
    vim.api.nvim_buf_set_lines(bufnr, count, count == 0 and 1 or count, true, lines)
  end
  fresh.mark(bufnr, tail.row, tail.row < count and tail.col or 0, lines)
end

--- The tail's step: the lines, then whether the last of them is ended.
---@param target agent_lsp.Target
---@param tail agent_lsp.Edit
---@return agent_lsp.Step
local function tail_step(target, tail)
  local doc = target.doc
  local ending = doc.form.ending
  local had_final = doc.form.final
  return function()
    local vanishes = tail.text == '' and tail.col == 0
    local final = vanishes or vim.endswith(tail.text, ending)
    if vanishes then
      vim.api.nvim_buf_set_lines(doc.bufnr, tail.row, -1, true, {})
    else
      replace_end(target, tail, final and tail.text:sub(1, -1 - #ending) or tail.text)
    end
    local empty = vanishes and tail.row == 0
    if not empty and final ~= had_final then
      final_newline.set(doc, final)
    end
  end
end

--- The changes that make the edits, in an order in which none moves the place of another.
---@param doc agent_lsp.Doc
---@param list lsp.TextEdit[] none overlapping another; all refer to the text as it is
---@param encoding string of positions
---@return agent_lsp.Step[]? steps
---@return string? reason
function M.plan(doc, list, encoding)
  local target = { doc = doc, count = doc.form.empty and 0 or doc.lines, encoding = encoding }
  local sorted, why = convert(target, list)
  if not sorted then
    return nil, why
  end
  local steps = {} ---@type agent_lsp.Step[]
  local tail = take_tail(sorted, target)
  if tail and not (tail.text == '' and tail.row == tail.end_row and tail.col == tail.end_col) then
    steps[1] = tail_step(target, tail)
  end
  for i = #sorted, 1, -1 do
    steps[#steps + 1] = inner_step(target, sorted[i])
  end
  return steps
end

return M
