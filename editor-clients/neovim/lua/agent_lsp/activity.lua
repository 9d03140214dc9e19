--- What assistants do: agent/activity and agent/clients. The list that shows it is
--- activity_list.lua.

local M = {}

local KEPT = 500 -- calls

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

---@class agent_lsp.ChangedFile
---@field path string absolute
---@field name string as the server names it
---@field status string created, modified, deleted or moved
---@field diff? string

---@class agent_lsp.Activity
---@field time integer
---@field client string
---@field group string calls of one agent and one turn have the same
---@field tool string
---@field verb string
---@field summary string one line
---@field root? string of the server that told it
---@field path? string absolute
---@field line? integer the first that was changed, from 1
---@field id? string of the change, for `:AgentLsp revert`
---@field files agent_lsp.ChangedFile[]

---@type agent_lsp.Activity[] oldest first
local calls = {}

---@type table<integer, {name: string, since: string}[]> by client of Neovim's
local clients = {}

---@param params table
---@return string
local function verb(params)
  if params.error then
    return REFUSALS[params.error:match('^[%w_]+')] and 'refused' or 'failed'
  end
  return VERBS[params.tool] or 'looked'
end

---@param path? string
---@param root? string
---@return string?
local function absolute(path, root)
  if not path or path == '' or path:match('^untitled:') then
    return nil
  elseif vim.startswith(path, 'file:') then
    return vim.uri_to_fname(path)
  elseif vim.startswith(path, '/') then
    return path
  end
  return root and vim.fs.joinpath(root, path)
end

---@param params table
---@param root? string
---@return agent_lsp.ChangedFile[]
local function files_of(params, root)
  local files = {}
  for _, file in ipairs(params.files or {}) do
    files[#files + 1] = {
      path = absolute(file.uri or file.path, root),
      name = file.path,
      status = file.status,
      diff = file.diff,
    }
  end
  return files
end

---@class agent_lsp.EditEvent Data of the event `User AgentLspEdit`.
---@field client string who made the change
---@field tool string
---@field id string for `:AgentLsp revert`
---@field path? string absolute; nil where several files were changed
---@field summary string
---@field diff string of all files
---@field files agent_lsp.ChangedFile[] all of them, created and deleted ones too

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
    files = call.files,
  }
  vim.api.nvim_exec_autocmds('User', { pattern = 'AgentLspEdit', modeline = false, data = data })
end

local scheduled = false

--- Has the list written anew where it is shown. Soon rather than now: calls come in bursts.
local function changed()
  if not scheduled then
    scheduled = true
    vim.defer_fn(function()
      scheduled = false
      vim.cmd.redrawstatus({ bang = true })
      require('agent_lsp.activity_list').refresh()
    end, 50)
  end
end

--- `agent/activity`.
---@param params table
---@param ctx lsp.HandlerContext
function M.note(params, ctx)
  local client = vim.lsp.get_client_by_id(ctx.client_id)
  local root = client and client.root_dir
  local name = params.client and params.client.name or '?'
  local call = {
    time = os.time(),
    client = name,
    group = params.group and vim.json.encode(params.group) or name,
    tool = params.tool,
    verb = verb(params),
    summary = ((params.error or params.summary or ''):match('[^\n]*')),
    root = root,
    path = absolute(params.path, root),
    line = params.diff and require('agent_lsp.patch').first_line(params.diff),
    id = params.id,
    files = files_of(params, root),
  }
  calls[#calls + 1] = call
  if #calls > KEPT then
    table.remove(calls, 1)
  end
  if call.id then
    announce(call, params.diff or '')
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

--- The calls, newest first.
---@return agent_lsp.Activity[]
function M.calls()
  local list = {}
  for i = #calls, 1, -1 do
    list[#list + 1] = calls[i]
  end
  return list
end

--- The ids of the changes, newest first.
---@return string[]
function M.ids()
  local ids = {}
  for i = #calls, 1, -1 do
    ids[#ids + 1] = calls[i].id
  end
  return ids
end

--- The root of the server that knows a change; nil when no call told of it.
---@param id? string
---@return string?
function M.root_of(id)
  for _, call in ipairs(id and calls or {}) do
    if call.id == id then
      return call.root
    end
  end
end

--- `:AgentLsp activity quickfix`: the calls that are about a file.
function M.quickfix()
  local items = {}
  for _, call in ipairs(M.calls()) do
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
