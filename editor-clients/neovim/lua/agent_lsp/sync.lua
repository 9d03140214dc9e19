--- Text synchronisation: what the server mirrors is the buffer, at every moment.
---
--- The plugin does this itself. Neovim's own tracking sends a wrong text for files that are empty
--- or lack the final line end, is silent when 'fileformat' or 'endofline' change, and copies the
--- line table at each key (6 ms in 300,000 lines). Here each change gives one `didChange` at once,
--- whose cost is that of the changed lines. All positions have character 0 or "end of line", so
--- that none depends on the position encoding. Versions are the plugin's own count, one up at each
--- message.

local text = require('agent_lsp.text')

local M = {}

---@class agent_lsp.Doc A buffer that at least one server mirrors.
---@field bufnr integer
---@field uri string
---@field filetype string as of opening
---@field version integer
---@field lines integer lines the mirrored text has, as Neovim counts
---@field form agent_lsp.Form form of the mirrored text
---@field unended boolean see agent_lsp.text.unended
---@field valid boolean the buffer is UTF-8 throughout
---@field clients table<integer, true> by client id
---@field unhashed integer changes since the server could last compare hashes
---@field told? string documentState last sent, to send no news once only
---@field batch? table[] changes held back while an edit lands
---@field flips agent_lsp.Flip[] edits that changed the final line end
---@field pending_flip? agent_lsp.Ending see agent_lsp.final_newline, as the two below
---@field undo_seq integer
---@field undo_last integer

local QUIET = 1048576 -- bytes of text from which Neovim's event LspNotify is not told
local END_OF_LINE = 2147483647 -- LSP: a character beyond the line means its end

---@type table<integer, agent_lsp.Doc> by buffer
local docs = {}

---@type fun(doc: agent_lsp.Doc)
local changed = function() end

--- Has `callback` called after each didChange.
---@param callback fun(doc: agent_lsp.Doc)
function M.on_change(callback)
  changed = callback
end

---@param bufnr integer
---@return agent_lsp.Doc?
function M.doc(bufnr)
  return docs[bufnr]
end

---@return table<integer, agent_lsp.Doc>
function M.docs()
  return docs
end

--- The document of an address, however its file name is escaped.
---@param uri string
---@return agent_lsp.Doc?
function M.find(uri)
  local fname = vim.startswith(uri, 'file:') and vim.uri_to_fname(uri)
  for _, doc in pairs(docs) do
    if doc.uri == uri or (fname and fname == vim.api.nvim_buf_get_name(doc.bufnr)) then
      return doc
    end
  end
end

--- Neovim hands what is sent to the event LspNotify, and copies it twice for each that listens,
--- which for a long text takes seconds. Nobody but the server needs it.
---@param client vim.lsp.Client
---@param doc agent_lsp.Doc
---@param method string
---@param params table
---@param size integer bytes of the text in it
local function tell(client, doc, method, params, size)
  if size > QUIET then
    client.rpc.notify(method, params)
  else
    client:notify(method, params, doc.bufnr)
  end
end

--- Sends a notification to every server that mirrors the document.
---@param doc agent_lsp.Doc
---@param method string
---@param params table
---@param size? integer bytes of the text in it
function M.notify(doc, method, params, size)
  for id in pairs(doc.clients) do
    local client = vim.lsp.get_client_by_id(id)
    if client and not client:is_stopped() then
      tell(client, doc, method, params, size or 0)
    end
  end
end

---@param doc agent_lsp.Doc
---@param changes table[] TextDocumentContentChangeEvents, each on the text that the one before left
local function send(doc, changes)
  doc.version = doc.version + 1
  doc.unhashed = doc.unhashed + 1
  local size = 0
  for _, change in ipairs(changes) do
    size = size + #change.text
  end
  M.notify(doc, 'textDocument/didChange', {
    textDocument = { uri = doc.uri, version = doc.version },
    contentChanges = changes,
  }, size)
  changed(doc)
end

---@param doc agent_lsp.Doc
---@param change table
local function push(doc, change)
  if doc.batch then
    doc.batch = change.range and doc.batch or {} -- a whole text makes what came before needless
    table.insert(doc.batch, change)
  else
    send(doc, { change })
  end
end

---@param doc agent_lsp.Doc
---@return string
local function read(doc)
  doc.form = text.form(doc.bufnr, doc.unended)
  doc.lines = vim.api.nvim_buf_line_count(doc.bufnr)
  local content
  content, doc.valid = text.read(doc.bufnr, doc.form)
  return content
end

---@param doc agent_lsp.Doc
local function push_all(doc)
  push(doc, { text = read(doc) })
end

--- Lines [first, last) of the mirrored text have become lines [first, new_last) of the buffer.
---@param doc agent_lsp.Doc
---@param first integer
---@param last integer
---@param new_last integer
local function push_lines(doc, first, last, new_last)
  local old_lines = doc.lines
  doc.lines = old_lines + new_last - last
  local until_end = not doc.form.final and last == old_lines
  if until_end and first > 0 and (first == last or first == new_last) then
    first = first - 1 -- the line end before the changed lines comes or goes with them
  end
  local content, valid = text.lines(doc.bufnr, doc.form, first, new_last)
  doc.valid = doc.valid and valid
  local range =
    { start = { line = first, character = 0 }, ['end'] = { line = last, character = 0 } }
  if until_end then
    content = content:sub(1, -1 - #doc.form.ending)
    range['end'] = { line = old_lines - 1, character = END_OF_LINE }
  end
  push(doc, { range = range, text = content })
end

--- Whether a change can be told by lines: not when the shape of the whole text changed, nor when
--- events and buffer disagree (several changes told after all were made), nor in a classic Mac
--- file, whose lines may hold line ends of other kinds.
---@param doc agent_lsp.Doc
---@param lines integer lines the event leaves
---@return boolean
local function by_lines(doc, lines)
  local form = text.form(doc.bufnr, doc.unended)
  return text.same_form(form, doc.form)
    and not form.empty
    and form.ending ~= '\r'
    and lines == vim.api.nvim_buf_line_count(doc.bufnr)
end

--- What is known only when the command that changed the buffer is done: whether undo passed an edit
--- of the final line end, or made the buffer empty again.
---@param doc agent_lsp.Doc
local function later(doc)
  if #doc.flips == 0 and doc.lines > 1 then
    return
  end
  vim.schedule(function()
    if docs[doc.bufnr] == doc then
      require('agent_lsp.final_newline').follow(doc)
      M.refresh(doc)
    end
  end)
end

---@param doc agent_lsp.Doc
local function on_lines(doc, first, last, new_last)
  if by_lines(doc, doc.lines + new_last - last) then
    push_lines(doc, first, last, new_last)
  else
    push_all(doc)
  end
  later(doc)
end

---@param doc agent_lsp.Doc
local function watch(doc)
  vim.api.nvim_buf_attach(doc.bufnr, false, {
    on_lines = function(_, _, _, first, last, new_last)
      if docs[doc.bufnr] ~= doc then
        return true
      end
      on_lines(doc, first, last, new_last)
    end,
    on_reload = function()
      if docs[doc.bufnr] == doc then
        doc.unended, doc.flips = text.unended(doc.bufnr), {}
        push_all(doc)
      end
    end,
    on_detach = function()
      for id in pairs(docs[doc.bufnr] == doc and doc.clients or {}) do
        M.close(doc.bufnr, id)
      end
    end,
  })
end

---@param bufnr integer
---@return agent_lsp.Doc
local function create(bufnr)
  local doc = {
    bufnr = bufnr,
    uri = text.uri(bufnr),
    version = 0,
    unended = text.unended(bufnr),
    clients = {},
    unhashed = 0,
    flips = {},
    undo_seq = 0,
    undo_last = 0,
  }
  docs[bufnr] = doc
  watch(doc)
  return doc
end

---@param client vim.lsp.Client
---@param doc agent_lsp.Doc
local function did_open(client, doc)
  doc.filetype = vim.bo[doc.bufnr].filetype
  local long = vim.api.nvim_buf_get_offset(doc.bufnr, vim.api.nvim_buf_line_count(doc.bufnr))
    > QUIET
  if long then -- until the text is there, which takes a while, reads say that it is not
    client:notify('agent/tabs', { unsynced = { { uri = doc.uri, notebook = false } } })
  end
  local content = read(doc)
  tell(client, doc, 'textDocument/didOpen', {
    textDocument = {
      uri = doc.uri,
      languageId = client.get_language_id(doc.bufnr, doc.filetype),
      version = doc.version,
      text = content,
    },
  }, #content)
  if long then
    client:notify('agent/tabs', { unsynced = {} })
  end
end

--- Starts to mirror a buffer to a client.
---@param client vim.lsp.Client
---@param bufnr integer
---@return agent_lsp.Doc
function M.open(client, bufnr)
  local doc = docs[bufnr] or create(bufnr)
  if not doc.clients[client.id] then
    doc.clients[client.id] = true
    did_open(client, doc)
    doc.told = nil
  end
  return doc
end

--- Stops to mirror a buffer to a client.
---@param bufnr integer
---@param client_id integer
function M.close(bufnr, client_id)
  local doc = docs[bufnr]
  if not doc or not doc.clients[client_id] then
    return
  end
  local client = vim.lsp.get_client_by_id(client_id)
  if client and not client:is_stopped() then
    client:notify('textDocument/didClose', { textDocument = { uri = doc.uri } }, bufnr)
  end
  doc.clients[client_id] = nil
  if not next(doc.clients) then
    docs[bufnr] = nil
  end
end

--- Closes and opens the document for every client, as the protocol wants it for another language.
---@param doc agent_lsp.Doc
function M.reopen(doc)
  M.notify(doc, 'textDocument/didClose', { textDocument = { uri = doc.uri } })
  for id in pairs(doc.clients) do
    local client = vim.lsp.get_client_by_id(id)
    if client and not client:is_stopped() then
      did_open(client, doc)
    end
  end
  doc.told = nil
end

--- Sends the whole text if an option gave the buffer another form without any line changing.
---@param doc agent_lsp.Doc
function M.refresh(doc)
  if not text.same_form(text.form(doc.bufnr, doc.unended), doc.form) then
    push_all(doc)
  end
end

--- Runs `edit`, whose changes go out as one message, so that no half-made edit is ever mirrored.
---@param doc agent_lsp.Doc
---@param edit fun()
---@return boolean ok
---@return any problem
function M.batch(doc, edit)
  doc.batch = {}
  local ok, problem = pcall(edit)
  M.refresh(doc)
  local changes = doc.batch --[[@as table[] ]]
  doc.batch = nil
  if #changes > 0 then
    send(doc, changes)
  end
  return ok, problem
end

---@param doc agent_lsp.Doc
---@return string
function M.text(doc)
  return (text.read(doc.bufnr, doc.form))
end

return M
