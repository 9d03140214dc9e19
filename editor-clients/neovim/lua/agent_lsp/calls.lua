--- Tool calls from Lua: which client is asked, cancelling, and an answer also when the server goes
--- away.

local M = {}

---@alias agent_lsp.Callback fun(err: lsp.ResponseError?, result: agent_lsp.Result?)

---@class agent_lsp.Result What a tool answered; a tool's own failure is a result too.
---@field content table[] the rendering's header, and images or documents
---@field structuredContent table the tool's output; `error {kind, message, hint}` when isError
---@field isError? boolean

local NO_SERVER = 'no agent-lsp server is attached; see :checkhealth agent_lsp'
local METHOD = 'agent/tools/call'
local CANCELLED = -32800 -- LSP's RequestCancelled
local SERVER_GONE = -32099 -- ours, of JSON-RPC's range for servers

---@type table<integer, table<agent_lsp.Callback, true>> calls without an answer, by client
local pending = {}

--- The client of a root, else of the current buffer, else of the working directory, else any.
---@param root? string
---@return vim.lsp.Client?
function M.pick(root)
  local name = require('agent_lsp.attach').NAME
  for _, client in ipairs(root and vim.lsp.get_clients({ name = name }) or {}) do
    if client.root_dir == root then
      return client
    end
  end
  local here = vim.lsp.get_clients({ bufnr = 0, name = name })[1]
  if here then
    return here
  end
  local clients = vim.lsp.get_clients({ name = name })
  local cwd = vim.fs.normalize(vim.fn.getcwd())
  for _, client in ipairs(clients) do
    if require('agent_lsp.roots').holds(client, cwd) then
      return client
    end
  end
  return clients[1]
end

--- A callback that is called once, and known until then.
---@param client_id integer
---@param callback agent_lsp.Callback
---@return agent_lsp.Callback
local function once(client_id, callback)
  local calls = pending[client_id] or {}
  pending[client_id] = calls
  local answer
  answer = function(err, result)
    if calls[answer] then
      calls[answer] = nil
      callback(err, result)
    end
  end
  calls[answer] = true
  return answer
end

---@param tool string
---@param arguments table?
---@param callback agent_lsp.Callback
---@param root? string of the server that is asked
---@return fun() cancel
function M.call(tool, arguments, callback, root)
  require('agent_lsp.attach').catch_up()
  local client = M.pick(root)
  if not client then
    callback({ code = SERVER_GONE, message = NO_SERVER })
    return function() end
  end
  local answer = once(client.id, callback)
  local params = {
    name = tool,
    arguments = arguments and next(arguments) and arguments or vim.empty_dict(),
    client = { name = 'neovim' },
  }
  local sent, id = client:request(METHOD, params, answer)
  if not sent then
    answer({ code = SERVER_GONE, message = 'the agent-lsp server has ended' })
  end
  return function()
    if id and client.requests[id] then
      client:cancel_request(id)
    end
    answer({ code = CANCELLED, message = 'cancelled' })
  end
end

--- Answers every open call of a server that has ended.
---@param client_id integer
function M.fail(client_id)
  local calls = pending[client_id] or {}
  pending[client_id] = nil
  for _, answer in ipairs(vim.tbl_keys(calls)) do
    answer({ code = SERVER_GONE, message = 'the agent-lsp server has ended' })
  end
end

return M
