--- agent/confirmEdit: shows the person what assistants want to change, and takes their decision.
---
--- All that wait are in one window, which does not take the cursor: a key that was meant for the
--- text must not decide. So deciding is a command, or a key in that window once the person went
--- there. Closing it decides nothing.

local notice = require('agent_lsp.notice')
local view = require('agent_lsp.view')

local M = {}

--- The server waits no longer than this.
local PATIENCE = 5 * 60 * 1000 -- ms

---@class agent_lsp.Question
---@field params agent_lsp.ConfirmEdit
---@field client_id integer
---@field answer fun(decision: {decision: string, reason?: string, files?: table[]})
---@field page? agent_lsp.Page that shows it side by side

---@class agent_lsp.ConfirmEdit
---@field client {name?: string}
---@field tool string
---@field reason? string why it is asked
---@field allow? string[] further decisions that may be offered: allowFile, allowSession
---@field files {path: string, diff: string, text?: string}[]

---@type agent_lsp.Question[] in the order in which they came
local waiting = {}

---@type integer? buffer of the list while it is shown
local shown

---@type {first: integer, question: agent_lsp.Question}[] where each begins in the list
local places = {}

---@param question agent_lsp.Question
---@return integer?
local function index_of(question)
  for i, other in ipairs(waiting) do
    if other == question then
      return i
    end
  end
end

---@param question agent_lsp.Question
---@param decision string
---@return boolean
local function allows(question, decision)
  return vim.list_contains(question.params.allow or {}, decision)
end

---@param question agent_lsp.Question
---@return string[]
local function heading(question)
  local params = question.params
  local name = params.client.name or 'An assistant'
  local why = params.reason and ('Asked because: ' .. params.reason) or nil
  local more = {}
  if allows(question, 'allowFile') then
    more[#more + 1] = 'gF: and do not ask again for this file'
  end
  if allows(question, 'allowSession') then
    more[#more + 1] = 'gS: nor for any in this session'
  end
  local lines = {}
  if #waiting > 1 then -- of one the title says it
    lines = { '', ('%s wants to change this (%s)'):format(name, params.tool) }
  end
  lines[#lines + 1] = why
  lines[#lines + 1] = #more > 0 and table.concat(more, '   ') or nil
  return lines
end

--- The list: what waits, each with its diffs.
---@return string[]
local function lines_of()
  local lines = {
    'ga: apply  gr: reject  Enter: both sides, edit first  gA: apply all  q: later',
  }
  places = {}
  for i, question in ipairs(waiting) do
    places[i] = { first = #lines + 1, question = question }
    vim.list_extend(lines, heading(question))
    for _, file in ipairs(question.params.files) do
      if #question.params.files > 1 then
        lines[#lines + 1] = '# ' .. file.path
      end
      vim.list_extend(lines, vim.split((file.diff:gsub('\n$', '')), '\n', { plain = true }))
    end
  end
  return lines
end

--- A title, not a message: it stays, and brings no prompt.
---@return string
local function title()
  local params = waiting[1].params
  local name = params.client.name or 'An assistant'
  local asks = ('%s wants to change this (%s)'):format(name, params.tool)
  local more = #waiting > 1 and (' and %d more'):format(#waiting - 1) or ''
  return asks .. more .. '.   :AgentLsp apply, reject, review'
end

--- The question that the cursor is in; the first one elsewhere.
---@return agent_lsp.Question?
local function at_cursor()
  if vim.api.nvim_get_current_buf() ~= shown then
    return waiting[1]
  end
  local row = vim.api.nvim_win_get_cursor(0)[1]
  local found = waiting[1]
  for _, place in ipairs(places) do
    found = place.first <= row and place.question or found
  end
  return found
end

---@param bufnr integer
local function map_keys(bufnr)
  local function map(key, run, what)
    vim.keymap.set('n', key, function()
      local question = at_cursor()
      if question then
        run(question)
      end
    end, { buffer = bufnr, desc = what })
  end
  map('ga', M.apply, 'Apply the change')
  map('gr', M.ask_reason, 'Reject the change')
  map('gF', M.allow_file, 'Apply, and do not ask again for this file')
  map('gS', M.allow_session, 'Apply, and do not ask again in this session')
  map('gA', M.apply_all, 'Apply all that wait')
  map('<CR>', function(question)
    require('agent_lsp.review').question(question)
  end, 'Show the change side by side')
  view.closable(bufnr)
end

--- Shows the list, or what it has now.
local function show()
  if shown and vim.api.nvim_buf_is_valid(shown) then
    view.fill(shown, lines_of())
  else
    local bufnr, window = view.show('change', lines_of(), 'diff')
    shown = bufnr
    vim.wo[window].winfixbuf = true
    map_keys(bufnr)
  end
  for _, window in ipairs(vim.fn.win_findbuf(shown)) do
    view.title(window, title())
  end
end

local function hide()
  if shown and vim.api.nvim_buf_is_valid(shown) then
    vim.api.nvim_buf_delete(shown, { force = true })
  end
  shown = nil
end

---@param question agent_lsp.Question
---@param answer {decision: string, reason?: string, files?: table[]}
local function settle(question, answer)
  local index = index_of(question)
  if not index then
    return -- it is settled
  end
  table.remove(waiting, index)
  question.answer(answer)
  if question.page then
    require('agent_lsp.review').close(question.page)
  end
  vim.cmd.redrawstatus({ bang = true })
  if not waiting[1] then
    hide()
  elseif shown and vim.api.nvim_buf_is_valid(shown) then
    show()
  end
end

--- What the person made of the files, where they edited the proposal.
---@param question agent_lsp.Question
---@return {path: string, text: string}[]? files nil when all is as it was asked for
local function edited(question)
  local files
  for _, two in ipairs(question.page and question.page.list or {}) do
    if not vim.deep_equal(two.after, two.asked) then
      files = files or {}
      files[#files + 1] = { path = two.path, text = table.concat(two.after, two.eol) .. two.last }
    end
  end
  return files
end

--- The question that waits for the person.
---@return agent_lsp.Question?
function M.waiting()
  return waiting[1]
end

---@param question? agent_lsp.Question the first one without it
---@param answer fun(question: agent_lsp.Question)
local function decide(question, answer)
  question = question or waiting[1]
  if question then
    answer(question)
  else
    notice.say('nobody asks')
  end
end

--- Agrees to a change, as the person has edited it.
---@param question? agent_lsp.Question
function M.apply(question)
  decide(question, function(chosen)
    local files = edited(chosen)
    settle(chosen, { decision = files and 'edited' or 'apply', files = files })
  end)
end

--- Agrees to all that wait.
function M.apply_all()
  for _, question in ipairs(vim.list_slice(waiting)) do
    M.apply(question)
  end
end

---@param decision string
---@return fun(question?: agent_lsp.Question)
local function allow(decision)
  return function(question)
    decide(question, function(chosen)
      if allows(chosen, decision) then
        settle(chosen, { decision = decision })
      else
        notice.say('this is asked each time', vim.log.levels.WARN)
      end
    end)
  end
end

--- Agrees, and is not asked again: for these files, or in this session.
M.allow_file = allow('allowFile')
M.allow_session = allow('allowSession')

--- Refuses the first change that waits.
---@param reason? string for the assistant
function M.reject(reason)
  decide(nil, function(chosen)
    settle(chosen, { decision = 'reject', reason = reason ~= '' and reason or nil })
  end)
end

---@param question? agent_lsp.Question
function M.ask_reason(question)
  question = question or waiting[1]
  vim.ui.input({ prompt = 'Why not? (for the assistant) ' }, function(reason)
    if question and reason then
      settle(question, { decision = 'reject', reason = reason ~= '' and reason or nil })
    end
  end)
end

--- `agent/confirmEdit`. Runs in the coroutine in which Neovim handles a request, and waits there.
function M.handle(params, ctx)
  local co = assert(coroutine.running())
  local decided, ready
  local question = {
    params = params,
    client_id = ctx.client_id,
    answer = function(decision)
      decided = decision
      if ready then
        vim.schedule(function()
          coroutine.resume(co)
        end)
      end
    end,
  }
  waiting[#waiting + 1] = question
  vim.defer_fn(function()
    settle(question, { decision = 'reject', reason = 'nobody answered' })
  end, PATIENCE)
  show()
  while not decided do
    ready = true
    coroutine.yield()
  end
  return decided
end

--- The questions of a server that has ended need no answer.
---@param client_id integer
function M.forget(client_id)
  for _, question in ipairs(vim.list_slice(waiting)) do
    if question.client_id == client_id then
      settle(question, { decision = 'reject', reason = 'the server has ended' })
    end
  end
end

return M
