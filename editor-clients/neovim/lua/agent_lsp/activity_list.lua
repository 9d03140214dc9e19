--- `:AgentLsp activity`: what assistants did as a list that follows them, by agent and turn, newest
--- first; below a change of several files there is a line for each.

local activity = require('agent_lsp.activity')
local notice = require('agent_lsp.notice')
local view = require('agent_lsp.view')

local M = {}

local NAMESPACE = vim.api.nvim_create_namespace('agent_lsp.activity')
local VERB_WIDTH = 9 -- screen cells of the longest verb

local COLOURS = {
  edited = 'DiagnosticOk',
  ['took back'] = 'DiagnosticOk',
  refused = 'DiagnosticError',
  failed = 'DiagnosticWarn',
}

---@class agent_lsp.Row
---@field text string
---@field call? agent_lsp.Activity nil for a heading
---@field file? agent_lsp.ChangedFile
---@field colour? string group of the verb, or of the whole line where there is no call

---@type integer? buffer of the list while it is shown
local shown

---@type agent_lsp.Row[] as shown
local rows = {}

local edits_only = false

---@return integer screen cells of a line
local function width()
  local window = shown and vim.fn.win_findbuf(shown)[1]
  return window and vim.api.nvim_win_get_width(window) or vim.o.columns
end

---@return string
local function header()
  local names = activity.clients()
  local who = #names > 0 and 'Attached: ' .. table.concat(names, ', ') or 'No assistant is attached'
  return notice.cut('Enter: show  gr: take back  e: edits  q: close   ' .. who, width())
end

--- What happened comes first and is cut where it has to be; the time, which matters least, last.
---@param call agent_lsp.Activity
---@return agent_lsp.Row
local function row_of(call)
  local time = os.date('%H:%M', call.time)
  local room = math.max(20, width() - 2 - VERB_WIDTH - 2 - 2 - #time)
  local said = call.summary:gsub('^[%l_]+: ', '') -- of an error its kind, which the verb tells
  local summary = notice.cut(vim.fn.strtrans(said), room)
  local gap = (' '):rep(room - vim.fn.strdisplaywidth(summary))
  local text = ('  %-9s  %s%s  %s'):format(call.verb, summary, gap, time)
  return { text = call.id and ('%s  [%s]'):format(text, call.id) or text, call = call }
end

---@param call agent_lsp.Activity
---@return agent_lsp.Row[]
local function file_rows(call)
  local list = {}
  for _, file in ipairs(#call.files > 1 and call.files or {}) do
    local name = notice.cut(vim.fn.strtrans(file.name), math.max(20, width() - 25))
    list[#list + 1] = { text = ('%s%-9s  %s'):format((' '):rep(13), file.status, name) }
    list[#list].call, list[#list].file = call, file
  end
  return list
end

--- The list, newest first; calls start in the third line.
---@return agent_lsp.Row[]
local function list_rows()
  local list = { { text = header(), colour = 'Comment' }, { text = '' } }
  local group
  for _, call in ipairs(activity.calls()) do
    if call.id or not edits_only then
      if call.group ~= group then
        group = call.group
        list[#list + 1] = { text = call.client, colour = 'Identifier' }
      end
      list[#list + 1] = row_of(call)
      vim.list_extend(list, file_rows(call))
    end
  end
  if not group then
    local what = edits_only and 'No assistant has changed anything yet.'
    list[#list + 1] = { text = what or 'No assistant has called yet.' }
  end
  return list
end

---@param bufnr integer
---@param row integer from 0
---@param item agent_lsp.Row
local function colour(bufnr, row, item)
  local function light(group, from, to)
    vim.hl.range(bufnr, NAMESPACE, group, { row, from }, { row, to })
  end
  if item.colour then
    light(item.colour, 0, -1)
  elseif item.file then
    light('Comment', 0, 13 + VERB_WIDTH)
  elseif item.call and COLOURS[item.call.verb] then
    light(COLOURS[item.call.verb], 2, 2 + #item.call.verb)
  end
end

--- Writes the list anew where it is shown.
function M.refresh()
  if not shown or not vim.api.nvim_buf_is_valid(shown) then
    return
  end
  rows = list_rows()
  local lines = vim.tbl_map(function(row)
    return row.text
  end, rows)
  view.fill(shown, lines)
  vim.api.nvim_buf_clear_namespace(shown, NAMESPACE, 0, -1)
  for i, row in ipairs(rows) do
    colour(shown, i - 1, row)
  end
end

---@return agent_lsp.Row
local function at_cursor()
  return rows[vim.api.nvim_win_get_cursor(0)[1]] or {}
end

--- Shows what the row under the cursor is about: the change, or the file.
local function open()
  local row = at_cursor()
  local call = row.call
  if call and call.id then
    require('agent_lsp.review').edit(call.id, row.file and row.file.name)
  elseif call and call.path then
    vim.cmd.wincmd('p')
    vim.cmd.edit(vim.fn.fnameescape(call.path))
  end
end

local function take_back()
  local call = at_cursor().call
  if call and call.id then
    require('agent_lsp.history').revert(call.id)
  end
end

local function toggle_edits()
  edits_only = not edits_only
  M.refresh()
end

--- Opens the list, or goes there.
function M.show()
  local there = shown and vim.fn.win_findbuf(shown)[1]
  if there then
    vim.api.nvim_set_current_win(there)
    return
  end
  local bufnr, window = view.show(
    'activity',
    vim.tbl_map(function(row)
      return row.text
    end, list_rows())
  )
  shown = bufnr
  view.closable(bufnr)
  vim.wo[window].wrap = false
  local function map(key, run, what)
    vim.keymap.set('n', key, run, { buffer = bufnr, desc = what })
  end
  map('<CR>', open, 'Show the change, or the file')
  map('gr', take_back, 'Take back the change')
  map('e', toggle_edits, 'Changes alone, or all')
  vim.api.nvim_set_current_win(window)
  M.refresh()
  vim.api.nvim_win_set_cursor(window, { math.min(4, #rows), 0 })
end

return M
