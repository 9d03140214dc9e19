--- A client of ours, from its start to the attaching of buffers.

local M = {}

---@type table<integer, true> clients whose text synchronisation is the plugin's
local prepared = {}

---@type table<integer, true> clients that were asked to stop
local stopped = {}

---@type table<integer, {code: integer, signal: integer}> how clients ended
local endings = {}

--- Neovim's message about a server that ended is wider than most screens; what is said of it is
--- said by restart.lua. Where this Neovim has no such inner method, it says its own.
local function quieten()
  local attach = require('agent_lsp.attach')
  for _, client in ipairs(vim.lsp.get_clients({ name = attach.NAME, _uninitialized = true })) do
    local on_exit = client._on_exit ---@diagnostic disable-line: invisible
    if type(on_exit) == 'function' and not rawget(client, '_on_exit') then
      rawset(client, '_on_exit', function(self, code, signal)
        endings[self.id] = { code = code, signal = signal }
        return on_exit(self, 0, 0)
      end)
    end
  end
end

--- How a client ended; nil when Neovim itself tells that.
---@param client_id integer
---@return {code: integer, signal: integer}?
function M.ending(client_id)
  return endings[client_id]
end

--- `before_init`: what the plugin's own handler of workspace/applyEdit does, in place of what
--- Neovim's does.
---@param params lsp.InitializeParams
function M.before_init(params)
  require('agent_lsp.events').setup()
  quieten()
  params.capabilities.workspace.workspaceEdit = {
    documentChanges = true,
    resourceOperations = { 'rename', 'delete' },
    failureHandling = 'textOnlyTransactional',
    normalizesLineEndings = false,
  }
end

--- Remembers who ended the server: a stop that was asked for is no reason to start it again.
---@param client vim.lsp.Client
local function watch_stop(client)
  local stop = client.stop
  client.stop = function(self, force)
    stopped[client.id] = true
    return stop(self, force)
  end
end

--- `on_init`: takes text synchronisation out of Neovim's hands before it opens the first document.
---@param client vim.lsp.Client
function M.prepare(client)
  if prepared[client.id] then
    return
  end
  prepared[client.id] = true
  client.server_capabilities.textDocumentSync = { openClose = false, change = 0 }
  watch_stop(client)
  vim.schedule(function()
    require('agent_lsp.version').check(client)
    require('agent_lsp.restart').back()
    if not client:is_stopped() then
      require('agent_lsp.attach').adopt(client)
    end
  end)
end

--- A buffer was attached: mirrors it.
---@param client vim.lsp.Client
---@param bufnr integer
function M.attached(client, bufnr)
  if not require('agent_lsp.attach').wants(bufnr) then -- the user's own root_dir did not ask
    vim.schedule(function() -- Neovim has not yet finished to attach it
      if client.attached_buffers[bufnr] then
        vim.lsp.buf_detach_client(bufnr, client.id)
      end
    end)
    return
  end
  if not prepared[client.id] then -- the user's configuration replaced our on_init
    vim.lsp.buf_detach_client(bufnr, client.id)
    M.prepare(client)
    vim.lsp.buf_attach_client(bufnr, client.id)
    return
  end
  require('agent_lsp.disk').note_first(bufnr)
  require('agent_lsp.state').send(require('agent_lsp.sync').open(client, bufnr))
  require('agent_lsp.hunks').opened(client, bufnr)
end

---@param client_id integer
---@return boolean
function M.was_stopped(client_id)
  return stopped[client_id] == true
end

---@param client_id integer
function M.forget(client_id)
  prepared[client_id], stopped[client_id], endings[client_id] = nil, nil, nil
end

return M
