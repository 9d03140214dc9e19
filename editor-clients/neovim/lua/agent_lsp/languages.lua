--- What language servers know of the text as it is now: `agent/references`, `agent/rename`,
--- `agent/willRename`, `agent/codeActions`. Each runs in the coroutine in which Neovim handles a
--- request, and waits there.

local servers = require('agent_lsp.servers')
local sync = require('agent_lsp.sync')

local M = {}

local METHODS = {
  references = 'textDocument/references',
  definition = 'textDocument/definition',
  type_definition = 'textDocument/typeDefinition',
  implementations = 'textDocument/implementation',
  callers = 'textDocument/prepareCallHierarchy',
  callees = 'textDocument/prepareCallHierarchy',
}

---@param ctx lsp.HandlerContext
---@return string
local function encoding_of(ctx)
  return assert(vim.lsp.get_client_by_id(ctx.client_id)).offset_encoding
end

--- Has `run` ask about a document that is still at the version the server saw, and tells in its
--- answer whether any document changed meanwhile.
---@param params {uri: string, version?: integer}
---@param run fun(subject: agent_lsp.Subject): table
---@return table
local function over(params, run)
  local doc = sync.find(params.uri)
  local before = servers.versions()
  local seen = params.version ~= vim.NIL and params.version or nil
  if seen and not (doc and doc.version == seen) then
    return { by = {}, changed = true }
  end
  local subject = servers.subject(params.uri)
  servers.flush(subject.clients)
  local ok, answer = pcall(run, subject)
  subject.close()
  if not ok then
    error(answer, 0)
  end
  answer.versions, answer.changed = before, not vim.deep_equal(before, servers.versions())
  answer.busy = servers.busy(subject)
  return answer
end

--- One question for each of the servers that can answer it.
---@param subject agent_lsp.Subject
---@param method string
---@param params fun(client: vim.lsp.Client): table
---@return agent_lsp.Question[]
local function ask_all(subject, method, params)
  local questions = {}
  for _, client in ipairs(servers.able(subject, method)) do
    questions[#questions + 1] = { client = client, method = method, params = params(client) }
  end
  servers.ask(questions, subject.bufnr)
  return questions
end

---@param subject agent_lsp.Subject
---@param params {position: lsp.Position}
---@param ours string
---@return fun(client: vim.lsp.Client): table
local function at_position(subject, params, ours)
  return function(client)
    return {
      textDocument = { uri = subject.uri },
      position = servers.position(subject, params.position, ours, client.offset_encoding),
      context = { includeDeclaration = true },
    }
  end
end

--- The places that an answer names, whichever of LSP's forms it has.
---@param found any
---@return {uri: string, range: lsp.Range}[]
local function places(found)
  if type(found) ~= 'table' then
    return {}
  end
  local list = {}
  for _, item in ipairs((found.uri or found.targetUri) and { found } or found) do
    list[#list + 1] = {
      uri = item.uri or item.targetUri,
      range = item.targetSelectionRange or item.range,
    }
  end
  return list
end

--- Where the functions that were prepared are called from, or what they call.
---@param prepared agent_lsp.Question
---@param relation string
---@param bufnr? integer
---@return {uri: string, range: lsp.Range}[] places
---@return lsp.ResponseError? err
local function calls(prepared, relation, bufnr)
  local incoming = relation == 'callers'
  local method = incoming and 'callHierarchy/incomingCalls' or 'callHierarchy/outgoingCalls'
  local questions, list, problem = {}, {}, prepared.err
  for _, item in ipairs(type(prepared.result) == 'table' and prepared.result or {}) do
    local question = { client = prepared.client, method = method, params = { item = item } }
    questions[#questions + 1] = question
  end
  servers.ask(questions, bufnr)
  for _, question in ipairs(questions) do
    problem = problem or question.err
    for _, call in ipairs(type(question.result) == 'table' and question.result or {}) do
      if incoming then
        for _, range in ipairs(call.fromRanges) do
          list[#list + 1] = { uri = call.from.uri, range = range }
        end
      else
        list[#list + 1] = { uri = call.to.uri, range = call.to.selectionRange }
      end
    end
  end
  return list, problem
end

--- `agent/references`: every place that a server names, each as that server counts.
function M.references(params, ctx)
  return over(params, function(subject)
    local method = METHODS[params.relation]
    local questions = ask_all(subject, method, at_position(subject, params, encoding_of(ctx)))
    local answer = { by = {}, locations = {}, refused = nil }
    for _, question in ipairs(questions) do
      local list, err = places(question.result), question.err
      if method == METHODS.callers then
        list, err = calls(question, params.relation, subject.bufnr)
      end
      if err then
        answer.refused = ('%s: %s'):format(question.client.name, err.message or tostring(err.code))
      else
        table.insert(answer.by, question.client.name)
      end
      for _, place in ipairs(list) do
        place.encoding = question.client.offset_encoding
        table.insert(answer.locations, place)
      end
    end
    return answer
  end)
end

--- `agent/rename`: the edit that the first server which renames makes.
function M.rename(params, ctx)
  return over(params, function(subject)
    local client = servers.able(subject, 'textDocument/rename')[1]
    if not client then
      return { by = {} }
    end
    local ask = at_position(subject, params, encoding_of(ctx))(client)
    ask.newName = params.newName
    local question = { client = client, method = 'textDocument/rename', params = ask }
    servers.ask({ question }, subject.bufnr)
    local edit = type(question.result) == 'table' and question.result or nil
    return {
      by = { client.name },
      edit = edit,
      encoding = client.offset_encoding,
      refused = question.err and (question.err.message or tostring(question.err.code)) or nil,
    }
  end)
end

--- Whether a server wants to hear of the renaming of a file before it happens.
---@param client vim.lsp.Client
---@param uri string
---@return boolean
local function hears(client, uri)
  local path = vim.uri_to_fname(uri)
  local caps = client.server_capabilities or {}
  local will = vim.tbl_get(caps, 'workspace', 'fileOperations', 'willRename', 'filters') or {}
  return vim.iter(will):any(function(filter)
    local ok, pattern = pcall(vim.glob.to_lpeg, filter.pattern.glob)
    return filter.pattern.matches ~= 'folder' and ok and pattern:match(path) ~= nil
  end)
end

--- `agent/willRename`: what servers change elsewhere when files are renamed.
function M.will_rename(params)
  local before, questions, clients = servers.versions(), {}, {}
  for _, client in ipairs(vim.lsp.get_clients()) do
    local files = vim.tbl_filter(function(file)
      return hears(client, file.oldUri)
    end, params.files)
    if client.name ~= require('agent_lsp.attach').NAME and #files > 0 then
      clients[#clients + 1] = client
      local question = { client = client, method = 'workspace/willRenameFiles' }
      question.params = { files = files }
      questions[#questions + 1] = question
    end
  end
  servers.flush(clients)
  servers.ask(questions, nil, params.timeout_ms)
  local edits = {}
  for _, question in ipairs(questions) do
    if type(question.result) == 'table' then
      table.insert(edits, {
        by = { question.client.name },
        edit = question.result,
        encoding = question.client.offset_encoding,
      })
    end
  end
  local changed = not vim.deep_equal(before, servers.versions())
  return { edits = edits, versions = before, changed = changed }
end

--- What a server itself said of the lines of a range.
---@param client vim.lsp.Client
---@param bufnr? integer
---@param range lsp.Range
---@return lsp.Diagnostic[]
local function diagnosed(client, bufnr, range)
  local list = {}
  for _, d in ipairs(bufnr and vim.diagnostic.get(bufnr) or {}) do
    local raw = vim.tbl_get(d, 'user_data', 'lsp')
    local namespace = vim.api.nvim_get_namespaces()
    local ours = vim.iter(namespace):any(function(name, id)
      return id == d.namespace and name:find(('%s.%d'):format(client.name, client.id), 1, true)
    end)
    if raw and ours and d.lnum >= range.start.line and d.lnum <= range['end'].line then
      list[#list + 1] = raw
    end
  end
  return list
end

--- The edit of one action: its own, or what the server makes of it when asked.
---@param client vim.lsp.Client
---@param action lsp.CodeAction|lsp.Command
---@param bufnr? integer
---@return table
local function resolved(client, action, bufnr)
  if not action.edit and client:supports_method('codeAction/resolve', bufnr) then
    local question = { client = client, method = 'codeAction/resolve', params = action }
    servers.ask({ question }, bufnr)
    if question.err then
      return { by = { client.name }, refused = question.err.message }
    end
    action = type(question.result) == 'table' and question.result or action
  end
  local command = type(action.command) == 'table' and action.command.command or action.command
  return {
    by = { client.name },
    found = true,
    edit = action.edit,
    encoding = client.offset_encoding,
    command = command,
  }
end

--- `agent/codeActions`: what servers offer for a range; with `title`, what that one changes.
function M.code_actions(params, ctx)
  local ours = encoding_of(ctx)
  return over(params, function(subject)
    local questions = ask_all(subject, 'textDocument/codeAction', function(client)
      local range = {}
      for end_, position in pairs(params.range) do
        range[end_] = servers.position(subject, position, ours, client.offset_encoding)
      end
      local only = params.kind and params.kind ~= vim.NIL and { params.kind } or nil
      local diagnostics = diagnosed(client, subject.bufnr, params.range)
      local context = { diagnostics = diagnostics, only = only, triggerKind = 1 }
      return { textDocument = { uri = subject.uri }, range = range, context = context }
    end)
    local answer = { by = {}, actions = {} }
    for _, question in ipairs(questions) do
      if question.err then
        answer.refused = ('%s: %s'):format(question.client.name, question.err.message)
      else
        table.insert(answer.by, question.client.name)
      end
      for _, action in ipairs(type(question.result) == 'table' and question.result or {}) do
        if params.title and params.title ~= vim.NIL and action.title == params.title then
          return resolved(question.client, action, subject.bufnr)
        end
        local disabled = action.disabled and action.disabled.reason
        table.insert(answer.actions, {
          title = action.title,
          kind = action.kind,
          by = question.client.name,
          disabled = disabled,
        })
      end
    end
    return answer
  end)
end

return M
