--- Following: the place that an assistant reads or edits is shown in a window of its own, without
--- taking the cursor. `:AgentLsp follow`, or `vim.g.agent_lsp_follow = true`.

local notice = require('agent_lsp.notice')

local M = {}

local NAMESPACE = vim.api.nvim_create_namespace('agent_lsp.follow')
local PACE = 300 -- ms between two places: assistants read faster than anybody looks
local HEIGHT = 12 -- lines of the window

---@type integer?
local window

---@type table? what is shown next
local waiting

---@param bufnr integer
---@param params {range?: lsp.Range}
local function light(bufnr, params)
  vim.api.nvim_buf_clear_namespace(bufnr, NAMESPACE, 0, -1)
  local count = vim.api.nvim_buf_line_count(bufnr)
  local first = params.range and math.min(params.range.start.line, count - 1) or 0
  local last = params.range and math.min(params.range['end'].line, count) or 0
  vim.api.nvim_win_set_cursor(window, { first + 1, 0 })
  vim.api.nvim_win_call(window, function()
    vim.cmd('normal! zz')
  end)
  if last > first then
    vim.hl.range(bufnr, NAMESPACE, 'Visual', { first, 0 }, { last - 1, -1 }, {
      regtype = 'V',
      timeout = 2000,
    })
  end
end

---@param params {uri: string, range?: lsp.Range, client: {name?: string}, kind: string}
local function show(params)
  local name = vim.uri_to_fname(params.uri)
  if vim.fn.filereadable(name) == 0 and vim.fn.bufloaded(name) == 0 then
    return
  end
  local bufnr = vim.fn.bufadd(name)
  vim.fn.bufload(bufnr)
  if not window or not vim.api.nvim_win_is_valid(window) then
    window = vim.api.nvim_open_win(bufnr, false, { split = 'above', win = -1, height = HEIGHT })
  end
  vim.api.nvim_win_set_buf(window, bufnr)
  local client = type(params.client) == 'table' and params.client.name or params.client
  local what = params.kind == 'edit' and 'edits' or 'reads'
  local path = vim.fn.fnamemodify(name, ':~:.')
  require('agent_lsp.view').title(window, ('%s %s %s'):format(client or '?', what, path))
  light(bufnr, params)
end

--- `agent/follow`
function M.note(params)
  if not vim.g.agent_lsp_follow then
    return
  end
  if not waiting then
    vim.defer_fn(function()
      local next_place = waiting
      waiting = nil
      pcall(show, next_place)
    end, PACE)
  end
  waiting = params
end

--- `:AgentLsp follow [on|off]`
---@param word? string
function M.set(word)
  local on = not vim.g.agent_lsp_follow
  if word then
    on = word == 'on'
  end
  vim.g.agent_lsp_follow = on
  if not on and window and vim.api.nvim_win_is_valid(window) then
    pcall(vim.api.nvim_win_close, window, false)
  end
  notice.say(on and 'what assistants read and edit is shown' or 'assistants are not followed')
end

return M
