--- A small MCP client of our own: starts `agent-lsp mcp`, as an assistant's host does.

local M = {}

local WAIT = 15000 -- ms; only a failing test waits this long

---@class agent_lsp.test.Mcp
---@field process vim.SystemObj
---@field answers table<integer, table>
---@field next integer
local Mcp = {}
Mcp.__index = Mcp

---@param message table
function Mcp:send(message)
  message.jsonrpc = '2.0'
  self.process:write(vim.json.encode(message) .. '\n')
end

---@param method string
---@param params table
---@return table
function Mcp:request(method, params)
  self.next = self.next + 1
  local id = self.next
  self:send({ id = id, method = method, params = params })
  vim.wait(WAIT, function()
    return self.answers[id] ~= nil
  end, 5)
  local answer = assert(self.answers[id], 'no answer to ' .. method)
  assert(not answer.error, vim.inspect(answer.error))
  return answer.result
end

--- Calls a tool.
---@param tool string
---@param arguments table
---@return {content: {text: string}[], isError?: boolean}
function Mcp:call(tool, arguments)
  return self:request('tools/call', { name = tool, arguments = arguments })
end

function Mcp:stop()
  self.process:write(nil)
  self.process:wait(2000)
end

--- Starts the program and greets it.
---@param command string[]
---@param options vim.SystemOpts
---@param name string who the client says it is
---@return agent_lsp.test.Mcp
function M.start(command, options, name)
  local mcp = setmetatable({ answers = {}, next = 0 }, Mcp)
  local rest = ''
  options.stdin = true
  options.stdout = function(_, data)
    rest = rest .. (data or '')
    for line in rest:gmatch('([^\n]*)\n') do
      local message = vim.json.decode(line, { luanil = { object = true } })
      if message.id and not message.method then
        mcp.answers[message.id] = message
      end
    end
    rest = rest:match('[^\n]*$')
  end
  mcp.process = vim.system(command, options)
  mcp:request('initialize', {
    protocolVersion = '2025-06-18',
    capabilities = vim.empty_dict(),
    clientInfo = { name = name, version = '1' },
  })
  mcp:send({ method = 'notifications/initialized' })
  return mcp
end

return M
