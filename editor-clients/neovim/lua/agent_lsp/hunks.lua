--- What assistants changed and the person has neither kept nor undone yet: asked of the server when
--- it tells that something is new, never at a key.

local attach = require('agent_lsp.attach')
local notice = require('agent_lsp.notice')
local sync = require('agent_lsp.sync')

local M = {}

local SOON = 100 -- ms, in which news are gathered
local TRIES = 20 -- times that a buffer which is ahead of the server is asked for again

---@class agent_lsp.ReviewHunk
---@field id string
---@field range lsp.Range whole lines of the text; empty where lines were only removed
---@field removed string the lines that stood there
---@field clients string[]
---@field time string

---@class agent_lsp.ReviewFile
---@field uri string
---@field path string
---@field version? integer of an open document
---@field status string changed, created, deleted or moved
---@field hunks agent_lsp.ReviewHunk[]

--- Whether a server offers review.
---@param client vim.lsp.Client
---@return boolean
local function offers(client)
  local experimental = client.server_capabilities.experimental
  local own = type(experimental) == 'table' and experimental.agentLsp
  return type(own) == 'table' and own.review == true
end

--- The servers that offer review: of a buffer, or all.
---@param bufnr? integer
---@return vim.lsp.Client[]
local function servers(bufnr)
  return vim.tbl_filter(offers, vim.lsp.get_clients({ name = attach.NAME, bufnr = bufnr }))
end

--- Asks a server; what it cannot do is told.
---@param client vim.lsp.Client
---@param method string
---@param params table
---@param answered fun(result: table)
function M.request(client, method, params, answered)
  client:request(method, next(params) and params or vim.empty_dict(), function(err, result)
    if err then
      notice.say(err.message, vim.log.levels.WARN)
    else
      answered(result)
    end
  end)
end

---@type table<integer, true> buffers that are to be asked for
local news = {}
local scheduled = false
local ask

---@param bufnr integer
local function later(bufnr)
  news[bufnr] = true
  if not scheduled then
    scheduled = true
    vim.defer_fn(function()
      scheduled = false
      local now = news
      news = {}
      for changed in pairs(now) do
        ask(changed, 1)
      end
    end, SOON)
  end
end

--- Marks a buffer with what the server has of it, once that is of the text as it is.
---@param bufnr integer
---@param try integer
function ask(bufnr, try)
  local doc = sync.doc(bufnr)
  local client = doc and servers(bufnr)[1]
  if not doc or not client then
    return
  end
  client:request('agent/review/list', { uri = doc.uri }, function(err, result)
    local file = result and result.files[1]
    if err or sync.doc(bufnr) ~= doc then
      return
    elseif file and file.version and file.version ~= doc.version and try < TRIES then
      vim.defer_fn(function()
        ask(bufnr, try + 1)
      end, SOON * try)
      return
    end
    require('agent_lsp.hunk_marks').set(bufnr, file and file.hunks or {})
  end)
end

--- `agent/review/changed`
---@param params {files: {uri: string, hunks: integer}[]}
function M.note(params)
  for _, file in ipairs(params.files) do
    local doc = sync.find(file.uri)
    if doc then
      later(doc.bufnr)
    end
  end
end

--- A buffer was opened: assistants may have changed it before.
---@param client vim.lsp.Client
---@param bufnr integer
function M.opened(client, bufnr)
  if offers(client) then
    later(bufnr)
  end
end

---@param words string[] of the command: nothing, `file` or `all`
---@param first? integer of a selection, from 1
---@param last? integer
---@return table? params
local function which(words, first, last)
  if words[1] == 'all' then
    return {}
  end
  local doc = sync.doc(vim.api.nvim_get_current_buf())
  if not doc then
    return nil
  elseif words[1] == 'file' then
    return { uri = doc.uri }
  elseif first then
    local range =
      { start = { line = first - 1, character = 0 }, ['end'] = { line = last, character = 0 } }
    return { uri = doc.uri, range = range }
  end
  local id = require('agent_lsp.hunk_marks').at_cursor()
  return id and { uri = doc.uri, hunks = { id } }
end

---@param method string
---@param words string[]
---@param first? integer
---@param last? integer
---@param answered fun(result: table)
local function decide(method, words, first, last, answered)
  local params = which(words, first, last)
  local clients = servers(words[1] ~= 'all' and vim.api.nvim_get_current_buf() or nil)
  if not params or #clients == 0 then
    notice.say('no change of an assistant here')
    return
  end
  for _, client in ipairs(words[1] == 'all' and clients or { clients[1] }) do
    M.request(client, method, params, function(result)
      answered(result)
      if params.uri then -- of a part of a hunk the server tells nothing
        M.note({ files = { { uri = params.uri } } })
      end
    end)
  end
end

--- `:[range]AgentLsp keep [file|all]`: agrees to what assistants changed.
---@param words string[]
---@param first? integer of a selection, from 1
---@param last? integer
function M.keep(words, first, last)
  decide('agent/review/keep', words, first, last, function(result)
    notice.say(('%d kept'):format(result.kept))
  end)
end

--- `:[range]AgentLsp undo [file|all]`: puts back what stood there; what was typed since stays.
---@param words string[]
---@param first? integer of a selection, from 1
---@param last? integer
function M.undo(words, first, last)
  decide('agent/review/undo', words, first, last, function(result)
    local failed = (result.failed or {})[1]
    if failed then
      notice.say(('%d not undone: %s'):format(#result.failed, failed.reason), vim.log.levels.WARN)
    else
      notice.say(('%d undone'):format(result.undone))
    end
  end)
end

---@param file agent_lsp.ReviewFile
---@param hunk? agent_lsp.ReviewHunk
---@return vim.quickfix.entry
local function entry(file, hunk)
  local removed = hunk and hunk.removed ~= '' and vim.split(hunk.removed:gsub('\n$', ''), '\n')
    or {}
  local added = hunk and hunk.range['end'].line - hunk.range.start.line or 0
  local who = hunk and table.concat(hunk.clients, ', ') or ''
  local counts = ('%s +%d -%d'):format(who, added, #removed)
  return {
    filename = vim.uri_to_fname(file.uri),
    lnum = hunk and hunk.range.start.line + 1 or 1,
    text = file.status == 'changed' and counts or file.status .. ' ' .. counts,
  }
end

--- `:AgentLsp changes`: all of them as the quickfix list.
function M.quickfix()
  local items, left = {}, #servers()
  if left == 0 then
    notice.say('no server runs that keeps changes')
  end
  for _, client in ipairs(servers()) do
    M.request(client, 'agent/review/list', {}, function(result)
      for _, file in ipairs(result.files) do
        for _, hunk in ipairs(#file.hunks > 0 and file.hunks or { false }) do
          items[#items + 1] = entry(file, hunk or nil)
        end
      end
      left = left - 1
      if left == 0 and #items == 0 then
        notice.say('no change of an assistant waits for review')
      elseif left == 0 then
        vim.fn.setqflist({}, ' ', { title = 'What assistants changed', items = items })
        vim.cmd.copen()
      end
    end)
  end
end

return M
