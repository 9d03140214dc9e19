--- `agent/documentState`: what the text alone does not say. The server needs encoding and mark to
--- compute the hash that the file has or would have, and a hash of the mirrored text now and then
--- to notice if the two sides ever disagree.

local sync = require('agent_lsp.sync')
local text = require('agent_lsp.text')

local M = {}

local HASH_LIMIT = 1048576 -- bytes; hashing this much takes about 10 ms
local HASH_EVERY = 64 -- changes

---@param doc agent_lsp.Doc
---@return boolean
local function hashable(doc)
  return vim.api.nvim_buf_get_offset(doc.bufnr, doc.lines) <= HASH_LIMIT
end

---@param doc agent_lsp.Doc
---@return table
local function describe(doc)
  local bo = vim.bo[doc.bufnr]
  local state = {
    uri = doc.uri,
    dirty = bo.modified,
    line_rule = text.line_rule(doc.form),
  }
  if doc.valid then -- of bytes that are no text no encoding can be told
    state.encoding = (bo.binary or bo.fileencoding == '') and 'utf-8' or bo.fileencoding
    state.bom = bo.bomb and not bo.binary
  end
  return state
end

--- What makes two states news of each other.
---@param state table
---@return string
local function key(state)
  return ('%s %s %s %s'):format(state.dirty, state.line_rule, state.encoding, state.bom)
end

---@param doc agent_lsp.Doc
---@param state table
local function tell(doc, state)
  state.version = doc.version
  if hashable(doc) then
    state.text_hash = text.hash(sync.text(doc))
    doc.unhashed = 0
  end
  sync.notify(doc, 'agent/documentState', state)
end

--- After open, save and reload: always, with a hash.
---@param doc agent_lsp.Doc
function M.send(doc)
  local state = describe(doc)
  doc.told = key(state)
  tell(doc, state)
end

--- When something may have become different: only news.
---@param doc agent_lsp.Doc
function M.update(doc)
  if doc.batch then
    return
  end
  local state = describe(doc)
  if key(state) ~= doc.told then
    doc.told = key(state)
    state.version = doc.version
    sync.notify(doc, 'agent/documentState', state)
  end
end

--- When the person rests: let the server compare, if anything changed since it could.
---@param doc agent_lsp.Doc
function M.verify(doc)
  if doc.unhashed > 0 and hashable(doc) then
    M.send(doc)
  end
end

--- After a change: compare now and then. Later, because one command can still be about to tell of
--- further changes it has made.
---@param doc agent_lsp.Doc
function M.after_change(doc)
  if doc.unhashed % HASH_EVERY ~= 0 then
    return
  end
  vim.schedule(function()
    if sync.doc(doc.bufnr) == doc then
      M.verify(doc)
    end
  end)
end

return M
