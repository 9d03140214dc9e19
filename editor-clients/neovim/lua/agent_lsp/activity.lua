--- What assistants do: agent/activity and agent/clients, as a list that follows them.

local view = require('agent_lsp.view')

local M = {}

local KEPT = 500 -- calls
local NAMESPACE = vim.api.nvim_create_namespace('agent_lsp.activity')

local READS = 'read'
local VERBS = {
  read_file = READS,
  grep_files = 'searched',
  find_files = 'searched',
  edit_file = 'edited',
  write_file = 'edited',
  apply_patch = 'edited',
  replace_in_files = 'edited',
  revert_edit = 'took back',
  run_command = 'ran',
}

--- Kinds of errors by which something was kept from an assistant; all others are its mistakes.
local REFUSALS = {
  buffer_dirty = true,
  conflicting_buffers = true,
  hash_required = true,
  merge_conflict = true,
  outside_workspace = true,
  permission_denied = true,
  rejected_by_user = true,
  stale_file = true,
}

local COLOURS = {
  edited = 'DiagnosticOk',
  ['took back'] = 'DiagnosticOk',
  refused = 'DiagnosticError',
  failed = 'DiagnosticWarn',
}

---@class agent_lsp.Activity
---@field time integer
---@field client string
---@field tool string
---@field verb string
---@field summary string one line
---@field path? string absolute
---@field line? integer the first that was changed, from 1
---@field id? string of the change, for `:AgentLsp revert`

---@type agent_lsp.Activity[] oldest first
local calls = {}

---@type table<integer, {name: string, since: string}[]> by client of Neovim's
local clients = {}

---@type integer? buffer of the list while it is shown
local shown

---@param params table
---@return string
local function verb(params)
  if params.error then
    return REFUSALS[params.error:match('^[%w_]+')] and 'refused' or 'failed'
  end
  return VERBS[params.tool] or 'looked'
end

---@param params table
---@param client_id integer
---@return string?
local function absolute(params, client_id)
  local path = params.path
  local client = vim.lsp.get_client_by_id(client_id)
  if not path or path == '' or path:match('^untitled:') then
    return nil
  elseif vim.startswith(path, 'file:') then
    return vim.uri_to_fname(path)
  elseif vim.startswith(path, '/') then
    return path
  end
  return client and client.root_dir and vim.fs.joinpath(client.root_dir, path)
end

---@class agent_lsp.EditEvent Data of the event `User AgentLspEdit`.
---@field client string who made the change
---@field tool string
---@field id string for `:AgentLsp revert`
---@field path? string absolute; nil where several files were changed
---@field summary string
---@field diff string

--- Tells scripts of a change.
---@param call agent_lsp.Activity
---@param diff string
local function announce(call, diff)
  ---@type agent_lsp.EditEvent
  local data = {
    client = call.client,
    tool = call.tool,
    id = call.id,
    path = call.path,
    summary = call.summary,
    diff = diff,
  }
  vim.api.nvim_exec_autocmds('User', { pattern = 'AgentLspEdit', modeline = false, data = data })
end

---@param call agent_lsp.Activity
---@param wide integer width of the clients' column
---@return string
local function line_of(call, wide)
  local client = call.client .. (' '):rep(wide - vim.fn.strdisplaywidth(call.client))
  local id = call.id and ('  [%s]'):format(call.id) or ''
  local time = os.date('%H:%M:%S', call.time)
  return ('%s  %s  %-9s  %s%s'):format(time, client, call.verb, call.summary, id)
end

---@return string
local function header()
  local names = M.clients()
  local who = #names > 0 and 'Attached: ' .. table.concat(names, ', ') or 'No assistant is attached'
  return who .. '.  Enter: show   gr: take back   q: close'
end

--- The list as text, newest first; calls start in the third line.
---@return string[]
function M.lines()
  local wide = 0
  for _, call in ipairs(calls) do
    wide = math.max(wide, vim.fn.strdisplaywidth(call.client))
  end
  local lines = { header(), '' }
  for i = #calls, 1, -1 do
    lines[#lines + 1] = line_of(calls[i], wide)
  end
  if #calls == 0 then
    lines[#lines + 1] = 'No assistant has called yet.'
  end
  return lines
end

---@param bufnr integer
local function colour(bufnr)
  vim.api.nvim_buf_clear_namespace(bufnr, NAMESPACE, 0, -1)
  vim.hl.range(bufnr, NAMESPACE, 'Comment', { 0, 0 }, { 0, -1 })
  for i, line in ipairs(vim.api.nvim_buf_get_lines(bufnr, 2, -1, false)) do
    local call = calls[#calls - i + 1]
    if not call then
      return
    end
    local row = i + 1
    vim.hl.range(bufnr, NAMESPACE, 'Comment', { row, 0 }, { row, 8 })
    vim.hl.range(bufnr, NAMESPACE, 'Identifier', { row, 10 }, { row, 10 + #call.client })
    local group = COLOURS[call.verb]
    local from = line:find(call.verb, 10 + #call.client, true)
    if group and from then
      vim.hl.range(bufnr, NAMESPACE, group, { row, from - 1 }, { row, from - 1 + #call.verb })
    end
  end
end

--- Writes the list anew where it is shown. Soon rather than now: calls come in bursts.
local function refresh()
  vim.cmd.redrawstatus({ bang = true })
  if shown and vim.api.nvim_buf_is_valid(shown) then
    view.fill(shown, M.lines())
    colour(shown)
  end
end

local scheduled = false
local function changed()
  if not scheduled then
    scheduled = true
    vim.defer_fn(function()
      scheduled = false
      refresh()
    end, 50)
  end
end

--- `agent/activity`.
---@param params table
---@param ctx lsp.HandlerContext
function M.note(params, ctx)
  local call = {
    time = os.time(),
    client = params.client and params.client.name or '?',
    tool = params.tool,
    verb = verb(params),
    summary = ((params.error or params.summary or ''):match('[^\n]*')),
    path = absolute(params, ctx.client_id),
    line = params.diff and require('agent_lsp.patch').first_line(params.diff),
    id = params.id,
  }
  calls[#calls + 1] = call
  if #calls > KEPT then
    table.remove(calls, 1)
  end
  if call.id then
    announce(call, params.diff)
  end
  changed()
end

--- `agent/clients`.
---@param params {clients: {name: string, since: string}[]}
---@param ctx lsp.HandlerContext
function M.note_clients(params, ctx)
  clients[ctx.client_id] = params.clients
  changed()
end

---@param client_id integer
function M.forget(client_id)
  clients[client_id] = nil
  changed()
end

--- The names of the assistants that are attached, each once.
---@return string[]
function M.clients()
  local names = {}
  for _, list in pairs(clients) do
    for _, client in ipairs(list) do
      names[client.name] = true
    end
  end
  local sorted = vim.tbl_keys(names)
  table.sort(sorted)
  return sorted
end

--- The ids of the changes in the list, newest first.
---@return string[]
function M.ids()
  local ids = {}
  for i = #calls, 1, -1 do
    ids[#ids + 1] = calls[i].id
  end
  return ids
end

---@return agent_lsp.Activity?
local function at_cursor()
  return calls[#calls - (vim.api.nvim_win_get_cursor(0)[1] - 2) + 1]
end

--- Shows what the call under the cursor is about: the change, or the file.
local function open()
  local call = at_cursor()
  if call and call.id then
    require('agent_lsp.review').edit(call.id)
  elseif call and call.path then
    vim.cmd.wincmd('p')
    vim.cmd.edit(vim.fn.fnameescape(call.path))
  end
end

local function take_back()
  local call = at_cursor()
  if call and call.id then
    require('agent_lsp.history').revert(call.id)
  end
end

--- `:AgentLsp activity`: opens the list, or goes there.
function M.show()
  local there = shown and vim.fn.win_findbuf(shown)[1]
  if there then
    vim.api.nvim_set_current_win(there)
    return
  end
  local bufnr, window = view.show('activity', M.lines())
  shown = bufnr
  view.closable(bufnr)
  vim.wo[window].wrap = false
  vim.keymap.set('n', '<CR>', open, { buffer = bufnr, desc = 'Show the change, or the file' })
  vim.keymap.set('n', 'gr', take_back, { buffer = bufnr, desc = 'Take back the change' })
  vim.api.nvim_set_current_win(window)
  vim.api.nvim_win_set_cursor(window, { 3, 0 })
  colour(bufnr)
end

--- `:AgentLsp activity quickfix`: the calls that are about a file.
function M.quickfix()
  local items = {}
  for i = #calls, 1, -1 do
    local call = calls[i]
    if call.path then
      items[#items + 1] = {
        filename = call.path,
        lnum = call.line or 1,
        type = (call.verb == 'refused' and 'E') or (call.verb == 'failed' and 'W') or nil,
        text = ('%s %s: %s'):format(call.client, call.verb, call.summary),
      }
    end
  end
  vim.fn.setqflist({}, ' ', { title = 'What assistants did', items = items })
  vim.cmd.copen()
end

return M
