--- The changes that assistants made in this session: shown, and taken back.

local calls = require('agent_lsp.calls')
local notice = require('agent_lsp.notice')
local view = require('agent_lsp.view')

local M = {}

---@param tool string
---@param arguments table
---@param next_step fun(output: table)
local function call(tool, arguments, next_step)
  calls.call(tool, arguments, function(err, result)
    local problem = err or result.isError and result.structuredContent.error
    if problem then
      notice.say(problem.message, vim.log.levels.WARN)
    else
      next_step(result.structuredContent)
    end
  end, require('agent_lsp.activity').root_of(arguments.id))
end

---@param edit table an item of edit_history
---@return string[]
local function lines_of(edit)
  local by = edit.client and (' by ' .. edit.client) or ''
  local gone = edit.reverted_by and (', taken back by ' .. edit.reverted_by) or ''
  local unknown = edit.outcome_unknown and ', outcome unknown' or ''
  local lines = { ('%s %s%s%s%s'):format(edit.id, edit.tool, by, unknown, gone) }
  if edit.command then
    lines[#lines + 1] = '# changed on disk while it ran: ' .. edit.command.line:gsub('%c', ' ')
  end
  for _, file in ipairs(edit.files) do
    local from = file.from and (' from ' .. file.from) or ''
    lines[#lines + 1] = ('# %s: %s%s'):format(file.path, file.action, from)
    if file.diff then
      lines[#lines + 1] = (file.diff:gsub('\n$', ''))
    end
  end
  lines[#lines + 1] = ''
  return lines
end

--- `:AgentLsp edits [file]`: all changes of the session, or those of one file, newest first.
---@param path? string
function M.show(path)
  call('edit_history', { path = path }, function(output)
    local lines = {}
    for _, edit in ipairs(output.edits) do
      vim.list_extend(lines, lines_of(edit))
    end
    if #lines > 0 then
      table.insert(lines, 1, 'Newest first.   Enter: side by side   gr: take back   q: close\n')
    else
      lines = { 'No assistant has changed anything yet.' }
    end
    local bufnr, window = view.show('edits', lines, 'diff')
    view.closable(bufnr)
    vim.keymap.set('n', 'gr', function()
      M.revert(M.at_cursor())
    end, { buffer = bufnr, desc = 'Take back the change under the cursor' })
    vim.keymap.set('n', '<CR>', function()
      require('agent_lsp.review').edit(M.at_cursor())
    end, { buffer = bufnr, desc = 'Show the change under the cursor side by side' })
    vim.api.nvim_set_current_win(window)
  end)
end

--- The id of the change that the cursor is in.
---@return string?
function M.at_cursor()
  local line = vim.fn.search([[^edit-\d\+-\x\+ ]], 'bcnW')
  return line > 0 and vim.fn.getline(line):match('^%S+') or nil
end

---@param id string
local function take_back(id)
  call('revert_edit', { id = id }, function(output)
    local paths = vim.tbl_map(function(file)
      return file.path
    end, output.files)
    notice.say(('%s is taken back: %s'):format(id, table.concat(paths, ', ')))
    require('agent_lsp.review').reverted(id)
  end)
end

--- Finds a change: by its id, or the last one that was not taken back.
---@param id? string
---@param found fun(edit: table)
function M.find(id, found)
  call('edit_history', id and { id = id } or {}, function(output)
    for _, edit in ipairs(output.edits) do
      if id or not edit.reverted_by and not edit.command and edit.tool ~= 'revert_edit' then
        found(edit)
        return
      end
    end
    local none = #output.edits == 0 and 'no assistant has changed anything yet'
    notice.say(none or 'every change was taken back; :AgentLsp edits shows them')
  end)
end

--- `:AgentLsp revert [id]`: takes a change back, the last one without an id.
---@param id? string
function M.revert(id)
  if id then
    take_back(id)
  else
    M.find(nil, function(edit)
      take_back(edit.id)
    end)
  end
end

return M
