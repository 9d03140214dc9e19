--- What the person sees: diagnostics, the visible and the active buffer, selections.

local sync = require('agent_lsp.sync')
local text = require('agent_lsp.text')

local M = {}

--- A place as LSP counts. Where the line is not loaded, its bytes are taken for the units.
---@param bufnr integer
---@param row integer from 0
---@param col integer from 0, in bytes
---@param encoding string of positions
---@return lsp.Position
local function position(bufnr, row, col, encoding)
  local line = vim.api.nvim_buf_is_loaded(bufnr)
    and vim.api.nvim_buf_get_lines(bufnr, row, row + 1, false)[1]
  if line and encoding ~= 'utf-8' then
    col = vim.str_utfindex(line, encoding, math.min(col, #line), false)
  end
  return { line = row, character = col }
end

---@param ctx lsp.HandlerContext
---@return string
local function encoding_of(ctx)
  return assert(vim.lsp.get_client_by_id(ctx.client_id)).offset_encoding
end

--- The address of a buffer; nil for what is no file and not mirrored.
---@param bufnr integer
---@return string?
local function address(bufnr)
  local doc = sync.doc(bufnr)
  if doc then
    sync.refresh(doc) -- what is told refers to a text that the server has
    return doc.uri
  elseif vim.bo[bufnr].buftype == '' and vim.api.nvim_buf_get_name(bufnr) ~= '' then
    return text.uri(bufnr)
  end
end

--- The buffer that an address names, loaded or not.
---@param uri string
---@return integer?
local function buffer(uri)
  local doc = sync.find(uri)
  if doc then
    return doc.bufnr
  elseif not vim.startswith(uri, 'file:') then
    return nil
  end
  local name = vim.uri_to_fname(uri)
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_get_name(bufnr) == name then
      return bufnr
    end
  end
end

---@param d vim.Diagnostic
---@param encoding string
---@return table?
local function item(d, encoding)
  local uri = vim.api.nvim_buf_is_valid(d.bufnr) and address(d.bufnr)
  if not uri then
    return nil
  end
  local range = {
    start = position(d.bufnr, d.lnum, d.col, encoding),
    ['end'] = position(d.bufnr, d.end_lnum or d.lnum, d.end_col or d.col, encoding),
  }
  return {
    uri = uri,
    range = range,
    severity = d.severity,
    message = d.message,
    source = d.source,
    code = d.code,
  }
end

--- `agent/diagnostics`: those of all language servers and linters, of one buffer or of all, and
--- whether they are about the text of now. Where there is time to wait it waits, in the coroutine
--- in which Neovim handles a request.
---@param params {uri?: string, wait_ms?: integer}
---@param ctx lsp.HandlerContext
---@return {items: table[], state: string, waiting: string[]}
function M.diagnostics(params, ctx)
  local bufnr
  if params.uri and params.uri ~= vim.NIL then
    bufnr = buffer(params.uri)
    if not bufnr then
      return { items = {}, state = 'unknown', waiting = {} }
    end
  end
  local settled = require('agent_lsp.settled')
  local wait_ms = params.wait_ms and params.wait_ms ~= vim.NIL and params.wait_ms or 0
  local before = settled.count()
  local stands = settled.state(bufnr, wait_ms)
  if before ~= settled.count() then
    stands = { state = 'pending', waiting = {} } -- somebody typed meanwhile
  end
  local items, encoding = {}, encoding_of(ctx)
  for _, d in ipairs(vim.diagnostic.get(bufnr)) do
    items[#items + 1] = item(d, encoding)
  end
  return { items = items, state = stands.state, waiting = stands.waiting }
end

--- What is selected in Visual mode, one range a line where it is a block.
---@param bufnr integer
---@param encoding string
---@return lsp.Range[]
local function visual(bufnr, encoding)
  local mode = vim.fn.mode()
  local regions = vim.fn.getregionpos(vim.fn.getpos('v'), vim.fn.getpos('.'), { type = mode })
  local ranges = {}
  for _, region in ipairs(regions) do
    local from, to = region[1], region[2]
    local line = vim.api.nvim_buf_get_lines(bufnr, to[2] - 1, to[2], false)[1] or ''
    local last = math.max(to[3], 1)
    local stop = last > #line and #line or last + vim.str_utf_end(line, last)
    ranges[#ranges + 1] = {
      start = position(bufnr, from[2] - 1, math.max(from[3] - 1, 0), encoding),
      ['end'] = position(bufnr, to[2] - 1, stop, encoding),
    }
  end
  if mode ~= '\22' and #ranges > 1 then -- lines that follow each other are one range
    ranges = { { start = ranges[1].start, ['end'] = ranges[#ranges]['end'] } }
  end
  return ranges
end

---@param win integer
---@param bufnr integer
---@param encoding string
---@return lsp.Range[]
local function selected(win, bufnr, encoding)
  if win == vim.api.nvim_get_current_win() and vim.fn.mode():find('^[vV\22]') then
    return visual(bufnr, encoding)
  end
  local cursor = vim.api.nvim_win_get_cursor(win)
  local at = position(bufnr, cursor[1] - 1, cursor[2], encoding)
  return { { start = at, ['end'] = at } }
end

--- `agent/editorState`: what the current tab page shows.
---@param _ table
---@param ctx lsp.HandlerContext
---@return {active: any, visible: string[], selections: table[]}
function M.state(_, ctx)
  local state = { active = vim.NIL, visible = {}, selections = {} }
  local encoding = encoding_of(ctx)
  for _, win in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    local bufnr = vim.api.nvim_win_get_buf(win)
    local uri = sync.doc(bufnr) and address(bufnr)
    if uri then
      if win == vim.api.nvim_get_current_win() then
        state.active = uri
      end
      if not vim.list_contains(state.visible, uri) then
        table.insert(state.visible, uri)
      end
      table.insert(state.selections, { uri = uri, ranges = selected(win, bufnr, encoding) })
    end
  end
  return state
end

return M
