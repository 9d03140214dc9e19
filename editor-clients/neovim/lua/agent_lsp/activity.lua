--- What assistants do: agent/activity and agent/clients, as a list.

local view = require('agent_lsp.view')

local M = {}

local KEPT = 200

---@class agent_lsp.Activity
---@field time integer
---@field client string
---@field tool string
---@field summary string
---@field id? string

---@type agent_lsp.Activity[] oldest first
local calls = {}

---@type table<integer, {name: string, since: string}[]> by client of Neovim's
local clients = {}

--- `agent/activity`.
function M.note(params)
  calls[#calls + 1] = {
    time = os.time(),
    client = params.client and params.client.name or '',
    tool = params.tool,
    summary = (params.error or params.summary or ''):match('[^\n]*'),
    id = params.id,
  }
  if #calls > KEPT then
    table.remove(calls, 1)
  end
end

--- `agent/clients`.
---@param params {clients: {name: string, since: string}[]}
---@param ctx lsp.HandlerContext
function M.note_clients(params, ctx)
  clients[ctx.client_id] = params.clients
end

---@param client_id integer
function M.forget(client_id)
  clients[client_id] = nil
end

---@return string[]
function M.lines()
  local lines = {}
  for _, list in pairs(clients) do
    for _, client in ipairs(list) do
      lines[#lines + 1] = ('%s, since %s'):format(client.name, client.since)
    end
  end
  if #lines > 0 then
    lines[#lines + 1] = ''
  end
  for i = #calls, 1, -1 do
    local call = calls[i]
    local edit = call.id and (' [%s]'):format(call.id) or ''
    local parts = { os.date('%H:%M:%S', call.time), call.client, call.tool, call.summary .. edit }
    lines[#lines + 1] = table.concat(parts, '  ')
  end
  return #lines > 0 and lines or { 'No assistant has called yet.' }
end

--- `:AgentLspActivity`
function M.show()
  local _, window = view.show('activity', M.lines())
  vim.api.nvim_set_current_win(window)
end

return M
