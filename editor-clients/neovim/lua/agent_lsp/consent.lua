--- agent/confirmEdit: shows the person what an assistant wants to change, and takes their decision.
---
--- The window that shows it does not take the cursor: a key that was meant for the text must not
--- decide. So deciding is a command, or a key in that window once the person went there.

local notice = require('agent_lsp.notice')
local view = require('agent_lsp.view')

local M = {}

--- The server waits no longer than this.
local PATIENCE = 5 * 60 * 1000 -- ms

---@class agent_lsp.Question
---@field params {client: {name?: string}, tool: string, files: {path: string, diff: string}[]}
---@field client_id integer
---@field answer fun(decision: {decision: string, reason?: string})
---@field bufnr? integer while it is shown
---@field review? integer[] buffers that show it side by side

---@type agent_lsp.Question[] the first one is shown
local waiting = {}

local show

---@param question agent_lsp.Question
---@param decision string 'apply' or 'reject'
---@param reason? string
local function settle(question, decision, reason)
  local index
  for i, other in ipairs(waiting) do
    index = other == question and i or index
  end
  if not index then
    return -- it is settled
  end
  table.remove(waiting, index)
  question.answer({ decision = decision, reason = reason ~= '' and reason or nil })
  if question.bufnr and vim.api.nvim_buf_is_valid(question.bufnr) then
    vim.api.nvim_buf_delete(question.bufnr, { force = true })
  end
  for _, bufnr in ipairs(question.review or {}) do
    pcall(vim.api.nvim_buf_delete, bufnr, { force = true })
  end
  vim.cmd.redrawstatus({ bang = true })
  if index == 1 and waiting[1] then
    vim.schedule(show)
  end
end

--- A title, not a message: it stays, and brings no prompt.
---@param question agent_lsp.Question
---@return string
local function title_of(question)
  local params = question.params
  local name = params.client.name or 'An assistant'
  return ('%s wants to change this (%s).   :AgentLsp apply, reject, review'):format(
    name,
    params.tool
  )
end

---@param question agent_lsp.Question
---@return string[]
local function lines_of(question)
  local lines = {
    ':AgentLsp apply or :AgentLsp reject [reason]. Here: ga, gr, Enter to see it side by side.',
    'Closing this window rejects.',
  }
  for _, file in ipairs(question.params.files) do
    lines[#lines + 1] = ''
    lines[#lines + 1] = '# ' .. file.path
    lines[#lines + 1] = (file.diff:gsub('\n$', ''))
  end
  return lines
end

function show()
  local question = waiting[1]
  if not question or question.bufnr then
    return
  end
  local bufnr, window = view.show('change', lines_of(question), 'diff')
  view.title(window, title_of(question))
  question.bufnr = bufnr
  vim.keymap.set('n', 'ga', M.apply, { buffer = bufnr, desc = 'Apply the change' })
  vim.keymap.set('n', 'gr', M.ask_reason, { buffer = bufnr, desc = 'Reject the change' })
  vim.keymap.set('n', '<CR>', function()
    require('agent_lsp.review').question(question)
  end, { buffer = bufnr, desc = 'Show the change side by side' })
  vim.api.nvim_create_autocmd('BufWipeout', {
    buffer = bufnr,
    once = true,
    callback = function()
      question.bufnr = nil
      settle(question, 'reject')
    end,
  })
end

--- The question that waits for the person.
---@return agent_lsp.Question?
function M.waiting()
  return waiting[1]
end

--- Agrees to the change that is shown.
function M.apply()
  if waiting[1] then
    settle(waiting[1], 'apply')
  else
    notice.say('nobody asks')
  end
end

--- Refuses the change that is shown.
---@param reason? string for the assistant
function M.reject(reason)
  if waiting[1] then
    settle(waiting[1], 'reject', reason)
  else
    notice.say('nobody asks')
  end
end

function M.ask_reason()
  local question = waiting[1]
  vim.ui.input({ prompt = 'Why not? (for the assistant) ' }, function(reason)
    if question and reason then
      settle(question, 'reject', reason)
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
    settle(question, 'reject', 'nobody answered')
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
      settle(question, 'reject', 'the server has ended')
    end
  end
end

return M
