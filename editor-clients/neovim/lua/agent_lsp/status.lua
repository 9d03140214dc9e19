--- The plugin's state in one line, and in some more.

local M = {}

---@class agent_lsp.Status
---@field state 'off'|'starting'|'on'|'down'|'asking'
---@field assistants string[]

--- The state of the current buffer.
---@return agent_lsp.Status
function M.get()
  local attach = require('agent_lsp.attach')
  local status = { state = 'off', assistants = {} }
  if not attach.enabled() then
    return status
  end
  local client = vim.lsp.get_clients({ bufnr = 0, name = attach.NAME })[1]
  if client then
    status.state = client.initialized and 'on' or 'starting'
    status.assistants = require('agent_lsp.activity').clients()
  elseif next(require('agent_lsp.restart').down()) and attach.wants(0) then
    status.state = 'down'
  end
  if require('agent_lsp.consent').waiting() then
    status.state = 'asking'
  end
  return status
end

local WORDS = { asking = 'consent?', down = 'down', starting = '…' }

--- See require('agent_lsp').statusline.
---@return string
function M.line()
  local status = M.get()
  if status.state == 'off' then
    return ''
  end
  local parts = { 'agent-lsp' }
  if WORDS[status.state] then
    parts[#parts + 1] = WORDS[status.state]
  end
  if #status.assistants > 0 then
    parts[#parts + 1] = table.concat(status.assistants, ',')
  end
  return (table.concat(parts, ' '):gsub('%%', '%%%%'))
end

---@param client vim.lsp.Client
---@return string
local function line_of(client)
  local info = client.server_info or {}
  local buffers = vim.tbl_count(client.attached_buffers)
  return ('%s %s: %s, %d buffer%s'):format(
    info.name or 'server',
    info.version or '',
    client.root_dir or 'no root',
    buffers,
    buffers == 1 and '' or 's'
  )
end

--- `:AgentLsp status`
---@return string[]
function M.lines()
  local attach = require('agent_lsp.attach')
  if not attach.enabled() then
    return { "not enabled: vim.lsp.enable('agent_lsp')" }
  end
  local lines = vim.tbl_map(line_of, vim.lsp.get_clients({ name = attach.NAME }))
  for root, why in pairs(require('agent_lsp.restart').down()) do
    lines[#lines + 1] = ('%s: %s; :AgentLsp restart'):format(root, why)
  end
  if #lines == 0 then
    lines[1] = 'no server runs: open a file, or see :checkhealth agent_lsp'
  end
  local names = require('agent_lsp.activity').clients()
  lines[#lines + 1] = 'assistants: '
    .. (#names > 0 and table.concat(names, ', ') or 'none attached')
  if require('agent_lsp.consent').waiting() then
    lines[#lines + 1] = 'a change waits for you: :AgentLsp review, apply or reject'
  end
  return lines
end

return M
