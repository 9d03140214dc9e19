--- Whether the diagnostics that Neovim shows are about the text as it is now.
---
--- They are when the server was asked for them (`textDocument/diagnostic`, or a command by which it
--- looks at files at once), or when it published them for the very version that it has, and no
--- other document changed since. A server that tells no versions is not believed.

local servers = require('agent_lsp.servers')
local sync = require('agent_lsp.sync')

local M = {}

local PUBLISH = 'textDocument/publishDiagnostics'
local PULL = 'textDocument/diagnostic'
local POLL = 30 -- ms between looks for what a server is still to publish

---@class agent_lsp.Published What a server published last about a file.
---@field version? integer
---@field count integer of all that any server published and any document changed

---@type table<integer, table<string, agent_lsp.Published>> by client, by address
local published = {}

---@type table<string, integer> when each document changed last, as `count` counts
local changed = {}

local count = 0
local wrapped = false

---@param handler function
---@return function
local function noting(handler)
  return function(err, result, ctx, ...)
    if result and result.uri then
      count = count + 1
      local of = published[ctx.client_id] or {}
      published[ctx.client_id] = of
      of[vim.uri_from_fname(vim.uri_to_fname(result.uri))] = {
        version = result.version,
        count = count,
      }
    end
    return handler(err, result, ctx, ...)
  end
end

--- Listens to what servers publish, also where a user's configuration handles it.
function M.setup()
  if wrapped then
    return
  end
  wrapped = true
  vim.lsp.handlers[PUBLISH] = noting(vim.lsp.handlers[PUBLISH])
  vim.api.nvim_create_autocmd('LspAttach', {
    group = vim.api.nvim_create_augroup('agent_lsp_settled', {}),
    callback = function(event)
      local client = vim.lsp.get_client_by_id(event.data.client_id)
      local own = client and rawget(client.handlers, PUBLISH)
      if own and not published[client.id] then
        published[client.id] = {}
        client.handlers[PUBLISH] = noting(own)
      end
    end,
  })
end

---@param doc agent_lsp.Doc
function M.changed(doc)
  count = count + 1
  changed[doc.uri] = count
end

--- A buffer was detached from a server.
---@param client_id integer
---@param bufnr integer
function M.detached(client_id, bufnr)
  changed[vim.uri_from_bufnr(bufnr)] = nil
  local client = vim.lsp.get_client_by_id(client_id)
  if not client or client:is_stopped() then
    published[client_id] = nil
  end
end

--- Whether what a server published about a buffer is about its text of now. nil: it does not say.
---@param client vim.lsp.Client
---@param bufnr integer
---@return boolean?
local function is_current(client, bufnr)
  local uri = vim.uri_from_bufnr(bufnr)
  local last = (published[client.id] or {})[uri]
  if not last then
    -- One that tells versions of other files will tell this one's.
    local _, other = next(published[client.id] or {})
    return other and other.version and false or nil
  elseif not last.version then
    return nil
  elseif last.version ~= vim.lsp.util.buf_versions[bufnr] then
    return false
  end
  for of, at in pairs(changed) do
    if at > last.count and of ~= uri and client.attached_buffers[vim.uri_to_bufnr(of)] then
      return nil -- a change elsewhere may have broken this one
    end
  end
  return true
end

--- A command that looks at files at once, and has published what it saw when it is answered.
---@param client vim.lsp.Client
---@return string?
local function command_of(client)
  local commands = vim.tbl_get(client.server_capabilities, 'executeCommandProvider', 'commands')
  for _, command in ipairs({ 'gopls.diagnose_files', 'typescript.tsserverRequest' }) do
    if vim.list_contains(commands or {}, command) then
      return command
    end
  end
end

---@param client vim.lsp.Client
---@param command string
---@param arguments any[]
---@return agent_lsp.Question
local function execute(client, command, arguments)
  local params = { command = command, arguments = arguments }
  return { client = client, method = 'workspace/executeCommand', params = params }
end

--- What the namespace of a client holds of a buffer, to be compared with what tsserver says.
---@param client vim.lsp.Client
---@param bufnr integer
---@return string[]
local function shown(client, bufnr)
  local list = {}
  local namespace = vim.lsp.diagnostic.get_namespace(client.id)
  for _, d in ipairs(vim.diagnostic.get(bufnr, { namespace = namespace })) do
    list[#list + 1] = ('%d %s'):format(d.lnum, tostring(d.code))
  end
  table.sort(list)
  return list
end

local TSSERVER = {
  'syntacticDiagnosticsSync',
  'semanticDiagnosticsSync',
  'suggestionDiagnosticsSync',
}

--- Asks tsserver what it has to say, and waits until that is what Neovim shows.
---@param client vim.lsp.Client
---@param bufnr integer
---@param left fun(): integer ms
---@return boolean?
local function ask_tsserver(client, bufnr, left)
  local file = vim.api.nvim_buf_get_name(bufnr)
  local questions = vim.tbl_map(function(request)
    return execute(client, 'typescript.tsserverRequest', { request, { file = file } })
  end, TSSERVER)
  servers.ask(questions, bufnr, left())
  local said = {}
  for _, question in ipairs(questions) do
    local body = type(question.result) == 'table' and question.result.body
    if question.err or type(body) ~= 'table' then
      return nil
    end
    for _, d in ipairs(body) do
      said[#said + 1] = ('%d %s'):format(d.start.line - 1, tostring(d.code))
    end
  end
  table.sort(said)
  local version = vim.lsp.util.buf_versions[bufnr]
  while not vim.deep_equal(said, shown(client, bufnr)) do
    if left() <= 0 or vim.lsp.util.buf_versions[bufnr] ~= version then
      return false
    end
    servers.sleep(POLL)
  end
  return true
end

--- Asks one server about a buffer, in the way that it has.
---@param client vim.lsp.Client
---@param bufnr integer
---@param left fun(): integer ms
---@return boolean? settled nil: it cannot be known
local function ask(client, bufnr, left)
  local uri = vim.uri_from_bufnr(bufnr)
  if client:supports_method(PULL, bufnr) then
    local params = { textDocument = { uri = uri } }
    local question = { client = client, method = PULL, params = params }
    servers.ask({ question }, bufnr, left())
    if question.err or type(question.result) ~= 'table' then
      return false
    end
    local ctx = { client_id = client.id, bufnr = bufnr, method = PULL, params = params }
    vim.lsp.diagnostic.on_diagnostic(nil, question.result, ctx)
    return true
  end
  local command = command_of(client)
  if command == 'gopls.diagnose_files' then
    local question = execute(client, command, { { Files = { uri } } })
    servers.ask({ question }, bufnr, left())
    return not question.err
  elseif command then
    return ask_tsserver(client, bufnr, left)
  end
  local question = { client = client, method = 'textDocument/documentSymbol' }
  question.params = { textDocument = { uri = uri } }
  if client:supports_method(question.method, bufnr) then
    servers.ask({ question }, bufnr, left()) -- what it had still to read is read then
  end
  local current = is_current(client, bufnr)
  while current == false and left() > 0 do
    servers.sleep(POLL)
    current = is_current(client, bufnr)
  end
  return current
end

--- The buffers that servers other than ours look at, each with those.
---@param only? integer
---@return table<integer, vim.lsp.Client[]>
local function looked_at(only)
  local found = {}
  local ours = require('agent_lsp.attach').NAME
  for _, client in ipairs(vim.lsp.get_clients()) do
    for bufnr in pairs(client.name ~= ours and client.attached_buffers or {}) do
      if not only or only == bufnr then
        found[bufnr] = found[bufnr] or {}
        table.insert(found[bufnr], client)
      end
    end
  end
  return found
end

---@class agent_lsp.Settled
---@field state "settled"|"pending"|"unknown"
---@field waiting string[] the servers that are still to answer, or cannot say

--- How the diagnostics stand. Servers are asked where there is time for it: in a coroutine.
---@param bufnr? integer nil for all
---@param wait_ms integer
---@return agent_lsp.Settled
function M.state(bufnr, wait_ms)
  local last = vim.uv.now() + wait_ms
  local function left()
    return last - vim.uv.now()
  end
  local function working()
    local clients = vim.iter(vim.tbl_values(looked_at(bufnr))):flatten():totable()
    return servers.busy({ clients = clients })
  end
  local busy = working()
  while busy and left() > 0 do
    servers.sleep(POLL)
    busy = working()
  end
  local pending, unknown, any = {}, {}, false
  for buffer, clients in pairs(looked_at(bufnr)) do
    if wait_ms > 0 then
      servers.flush(clients)
    end
    for _, client in ipairs(clients) do
      any = true
      local current
      if wait_ms > 0 and left() > 0 then
        current = ask(client, buffer, left)
      else
        current = is_current(client, buffer)
      end
      if current == false then
        pending[client.name] = true
      elseif current == nil then
        unknown[client.name] = true
      end
    end
  end
  if next(pending) or busy then
    local waiting = vim.tbl_keys(pending)
    return { state = 'pending', waiting = #waiting > 0 and waiting or { busy } }
  elseif next(unknown) or not any then
    return { state = 'unknown', waiting = vim.tbl_keys(unknown) }
  end
  return { state = 'settled', waiting = {} }
end

--- Whether any document is not the one that a server was told.
---@return integer
function M.count()
  local sum = 0
  for _, doc in pairs(sync.docs()) do
    sum = sum + doc.version
  end
  return sum
end

return M
