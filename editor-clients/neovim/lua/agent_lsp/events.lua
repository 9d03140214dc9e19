--- The editor's events that the server must learn of, each in one place. Set up before the first
--- client starts.

local M = {}

local OPTIONS = { 'binary', 'bomb', 'endofline', 'fileencoding', 'fileformat', 'fixendofline' }

local sync = require('agent_lsp.sync')
local state = require('agent_lsp.state')
local text = require('agent_lsp.text')

---@param events string|string[]
---@param callback fun(doc: agent_lsp.Doc, event: vim.api.keyset.create_autocmd.callback_args)
local function on_doc(events, callback)
  vim.api.nvim_create_autocmd(events, {
    group = 'agent_lsp.events',
    callback = function(event)
      local doc = sync.doc(event.buf)
      if doc then
        callback(doc, event)
      end
    end,
  })
end

---@param doc agent_lsp.Doc
local function on_write(doc, event)
  if event.match ~= vim.api.nvim_buf_get_name(doc.bufnr) then
    return -- a copy was written elsewhere
  end
  require('agent_lsp.disk').note(doc.bufnr)
  doc.unended = text.unended(doc.bufnr)
  sync.refresh(doc)
  sync.notify(doc, 'textDocument/didSave', { textDocument = { uri = doc.uri } })
  state.send(doc)
end

--- Another name is another document. Detaching and attaching makes Neovim forget the old name too.
---@param doc agent_lsp.Doc
local function on_name(doc)
  if doc.uri == text.uri(doc.bufnr) then
    return
  end
  for id in pairs(vim.deepcopy(doc.clients)) do
    vim.lsp.buf_detach_client(doc.bufnr, id)
    vim.lsp.buf_attach_client(doc.bufnr, id)
  end
end

local function on_option()
  for _, doc in pairs(sync.docs()) do
    sync.refresh(doc)
    state.update(doc)
  end
end

---@param event vim.api.keyset.create_autocmd.callback_args
local function on_attach(event)
  local attach = require('agent_lsp.attach')
  local client = vim.lsp.get_client_by_id(event.data.client_id)
  if client and client.name == attach.NAME then
    attach.meet(event.buf)
    require('agent_lsp.client').attached(client, event.buf)
    attach.share(event.buf)
  end
end

--- Sets the events up, once.
function M.setup()
  local known = pcall(vim.api.nvim_get_autocmds, { group = 'agent_lsp.events' })
  if known then
    return
  end
  local group = vim.api.nvim_create_augroup('agent_lsp.events', {})
  local autocmd = vim.api.nvim_create_autocmd
  autocmd('LspAttach', { group = group, callback = on_attach })
  autocmd('LspDetach', {
    group = group,
    callback = function(event)
      sync.close(event.buf, event.data.client_id)
      require('agent_lsp.settled').detached(event.data.client_id, event.buf)
    end,
  })
  autocmd('BufUnload', {
    group = group,
    callback = function(event)
      require('agent_lsp.attach').forget(event.buf)
      require('agent_lsp.hunk_marks').forget(event.buf)
    end,
  })
  autocmd('OptionSet', { group = group, pattern = OPTIONS, callback = on_option })
  on_doc('BufWritePost', on_write)
  on_doc({ 'BufNew', 'BufFilePost' }, on_name)
  on_doc('BufModifiedSet', function(doc)
    sync.refresh(doc) -- undo can make a buffer empty without telling of changed lines
    state.update(doc)
  end)
  on_doc({ 'CursorHold', 'CursorHoldI' }, state.verify)
  on_doc({ 'BufEnter', 'CursorHold', 'FocusGained' }, function(doc)
    require('agent_lsp.disk').watch(doc.bufnr)
  end)
  on_doc('FileChangedShellPost', function(doc)
    require('agent_lsp.disk').note(doc.bufnr)
    state.send(doc)
  end)
  on_doc('FileType', function(doc)
    if vim.bo[doc.bufnr].filetype ~= doc.filetype then
      sync.reopen(doc)
      state.send(doc)
    end
  end)
  require('agent_lsp.settled').setup()
  sync.on_change(function(doc)
    state.after_change(doc)
    require('agent_lsp.settled').changed(doc)
  end)
end

return M
