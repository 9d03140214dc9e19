--- Giving an assistant something to look at: `open_files` tells it, and `@path#L1-L4` is copied.

local calls = require('agent_lsp.calls')
local notice = require('agent_lsp.notice')
local sync = require('agent_lsp.sync')

local M = {}

---@param first? integer from 1
---@param last? integer
---@param count integer lines of the buffer
---@return lsp.Range?
local function range_of(first, last, count)
  if first then
    local stop = math.min(last, count)
    return { start = { line = first - 1, character = 0 }, ['end'] = { line = stop, character = 0 } }
  end
end

--- The diagnostics of the buffer, or of these lines, as LSP has them.
---@param uri string
---@param client vim.lsp.Client
---@param first? integer
---@param last? integer
---@return table[]
local function diagnostics(uri, client, first, last)
  local context = { client_id = client.id }
  local told = require('agent_lsp.look').diagnostics({ uri = uri }, context)
  return vim.tbl_filter(function(item)
    local line = item.range.start.line + 1
    return not first or line >= first and line <= last
  end, told.items)
end

--- `:[range]AgentLsp send [file|diagnostics]`
---@param what? string
---@param first? integer from 1
---@param last? integer
function M.send(what, first, last)
  local doc = sync.doc(vim.api.nvim_get_current_buf())
  local client = calls.pick()
  if not doc or not client then
    notice.say('this buffer is not known to assistants')
    return
  end
  sync.refresh(doc)
  local params = { uri = doc.uri }
  if what ~= 'file' then
    params.range = range_of(first, last, vim.api.nvim_buf_line_count(doc.bufnr))
  end
  if what == 'diagnostics' then
    params.diagnostics = diagnostics(doc.uri, client, first, last)
    if #params.diagnostics == 0 then
      notice.say('nothing is reported of this place')
      return
    end
  end
  require('agent_lsp.hunks').request(client, 'agent/point', params, function(result)
    vim.fn.setreg('"', result.text)
    pcall(vim.fn.setreg, '+', result.text)
    notice.say(result.text .. ' is told to assistants, and copied')
  end)
end

return M
