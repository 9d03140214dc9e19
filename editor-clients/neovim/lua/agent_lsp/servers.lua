--- Asks the language servers of this editor, other than ours, about a file, open or not.
---
--- A server is asked over the text as it is: what Neovim holds back of the person's keys is sent
--- first. An answer tells whether a document changed until all of it was there.

local sync = require('agent_lsp.sync')
local text = require('agent_lsp.text')

local M = {}

local PATIENCE = 20000 -- ms, for all that one question asks
local POLL = 200 -- ms between looks whether a server is still there

---@class agent_lsp.Subject A file that language servers are asked about.
---@field uri string
---@field bufnr? integer where it is open
---@field clients vim.lsp.Client[] that know files like it
---@field close fun() ends what asking began

--- Sends every server the changes that Neovim still collects.
---@param clients vim.lsp.Client[]
function M.flush(clients)
  for _, client in ipairs(clients) do
    -- Neovim itself does this before a request, for the buffer that the request is about alone.
    pcall(function()
      require('vim.lsp._changetracking').flush(client)
    end)
  end
end

--- The versions of all mirrored documents, by address.
---@return table<string, integer>
function M.versions()
  local versions = vim.empty_dict()
  for _, doc in pairs(sync.docs()) do
    sync.refresh(doc)
    versions[doc.uri] = doc.version
  end
  return versions
end

---@param client vim.lsp.Client
---@return boolean
local function is_other(client)
  return client.name ~= require('agent_lsp.attach').NAME and not client:is_stopped()
end

--- Servers that know files like the one at a path, though it is not open.
---@param name string
---@param filetype string
---@return vim.lsp.Client[]
local function suited(name, filetype)
  return vim.tbl_filter(function(client)
    local types = client.config.filetypes ---@diagnostic disable-line: undefined-field
    return is_other(client)
      and (types == nil or vim.list_contains(types, filetype))
      and require('agent_lsp.roots').holds(client, name)
  end, vim.lsp.get_clients())
end

--- Shows servers the text that a file has on disk, for as long as they are asked about it.
---@param uri string
---@return agent_lsp.Subject
local function closed(uri)
  local name = vim.uri_to_fname(uri)
  local filetype = vim.filetype.match({ filename = name }) or ''
  local file = io.open(name, 'rb')
  local content = file and file:read('*a')
  if file then
    file:close()
  end
  local clients = content and suited(name, filetype) or {}
  for _, client in ipairs(clients) do
    client:notify('textDocument/didOpen', {
      textDocument = { uri = uri, languageId = filetype, version = 0, text = content },
    })
  end
  local function close()
    for _, client in ipairs(clients) do
      local now = vim.fn.bufnr(name)
      if now < 0 or not client.attached_buffers[now] then -- else the person has opened it
        client:notify('textDocument/didClose', { textDocument = { uri = uri } })
      end
    end
  end
  return { uri = uri, clients = clients, close = close }
end

--- Whom to ask about a file.
---@param uri string
---@return agent_lsp.Subject
function M.subject(uri)
  local doc = sync.find(uri)
  local bufnr = doc and doc.bufnr
  if not bufnr then
    if not vim.startswith(uri, 'file:') then
      return { uri = uri, clients = {}, close = function() end }
    end
    return closed(uri)
  end
  local clients = vim.tbl_filter(is_other, vim.lsp.get_clients({ bufnr = bufnr }))
  return { uri = text.uri(bufnr), bufnr = bufnr, clients = clients, close = function() end }
end

---@param subject agent_lsp.Subject
---@param method string
---@return vim.lsp.Client[]
function M.able(subject, method)
  return vim.tbl_filter(function(client)
    return client:supports_method(method, subject.bufnr)
  end, subject.clients)
end

---@param subject agent_lsp.Subject
---@param row integer from 0
---@return string
local function line_of(subject, row)
  if subject.bufnr then
    return vim.api.nvim_buf_get_lines(subject.bufnr, row, row + 1, false)[1] or ''
  end
  local lines = vim.fn.readfile(vim.uri_to_fname(subject.uri), '', row + 1)
  return lines[row + 1] or ''
end

--- A place that our server tells, as another counts.
---@param subject agent_lsp.Subject
---@param position lsp.Position
---@param ours string encoding
---@param theirs string encoding
---@return lsp.Position
function M.position(subject, position, ours, theirs)
  if ours == theirs then
    return position
  end
  local line = line_of(subject, position.line)
  local byte = vim.str_byteindex(line, ours, position.character, false)
  return { line = position.line, character = vim.str_utfindex(line, theirs, byte, false) }
end

---@class agent_lsp.Question
---@field client vim.lsp.Client
---@field method string
---@field params table
---@field err? lsp.ResponseError set when it is answered
---@field result? any

--- Waits for answers, in a coroutine. A server that is silent, or ends, has an error for its
--- answer.
---@param questions agent_lsp.Question[]
---@param bufnr? integer
---@param patience? integer ms
function M.ask(questions, bufnr, patience)
  local co = assert(coroutine.running())
  local left, waiting = #questions, false
  local timer = assert(vim.uv.new_timer())
  local open = {} ---@type table<agent_lsp.Question, integer|true>
  local function answer(question, err, result)
    if not open[question] then
      return
    end
    open[question], left = nil, left - 1
    question.err, question.result = err, result
    if left == 0 and waiting then
      waiting = false
      vim.schedule(function()
        coroutine.resume(co)
      end)
    end
  end
  for _, question in ipairs(questions) do
    open[question] = true
    local function on_answer(err, result)
      answer(question, err, result)
    end
    local client = question.client
    local sent, id = client:request(question.method, question.params, on_answer, bufnr)
    if not sent then
      answer(question, { code = -1, message = 'the language server has ended' })
    elseif open[question] then
      open[question] = id or true
    end
  end
  local last = vim.uv.now() + math.max(patience or PATIENCE, POLL)
  timer:start(
    POLL,
    POLL,
    vim.schedule_wrap(function()
      for question, id in pairs(open) do
        if question.client:is_stopped() then
          answer(question, { code = -1, message = 'the language server has ended' })
        elseif vim.uv.now() >= last then
          if id ~= true then
            question.client:cancel_request(id)
          end
          answer(question, { code = -2, message = 'the language server did not answer in time' })
        end
      end
    end)
  )
  while left > 0 do
    waiting = true
    coroutine.yield()
  end
  timer:stop()
  timer:close()
end

--- Waits a moment, in a coroutine.
---@param ms integer
function M.sleep(ms)
  local co = assert(coroutine.running())
  vim.defer_fn(function()
    coroutine.resume(co)
  end, ms)
  coroutine.yield()
end

--- The latest report of a task that a server has begun.
---@param client vim.lsp.Client
---@param token lsp.ProgressToken
---@param title string
---@return string
local function report(client, token, title)
  local latest = title
  for progress in client.progress do
    local value = progress.value
    if progress.token == token and type(value) == 'table' and value.message then
      latest = ('%s: %s'):format(title, value.message)
    end
  end
  return ('%s: %s'):format(client.name, latest)
end

--- What servers are busy with, as with loading a workspace; nil where with nothing.
---@param subject agent_lsp.Subject
---@return string?
function M.busy(subject)
  for _, client in ipairs(vim.lsp.get_clients({ _uninitialized = true })) do
    if not client.initialized and not client:is_stopped() then
      return client.name .. ': starting'
    end
  end
  for _, client in ipairs(subject.clients) do
    local token, title = next(client.progress.pending)
    if token then
      return report(client, token, tostring(title))
    end
  end
end

---@param clients vim.lsp.Client[]
---@return string[]
function M.names(clients)
  return vim.tbl_map(function(client)
    return client.name
  end, clients)
end

return M
