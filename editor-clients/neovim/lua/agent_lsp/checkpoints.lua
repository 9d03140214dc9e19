--- Going back to a checkpoint: the diff first, then what the person says.

local calls = require('agent_lsp.calls')
local hunks = require('agent_lsp.hunks')
local notice = require('agent_lsp.notice')
local view = require('agent_lsp.view')

local M = {}

---@param client vim.lsp.Client
---@param id string
local function restore(client, id)
  hunks.request(client, 'agent/checkpoint/restore', { id = id }, function(result)
    local failed = (result.failed or {})[1]
    if failed then
      notice.say(('%s: %s'):format(failed.path, failed.reason), vim.log.levels.WARN)
    else
      notice.say(('%d files are as they were'):format(#result.files))
    end
  end)
end

--- Shows what would become of the files; ga restores.
---@param client vim.lsp.Client
---@param id string
---@param files {path: string, diff: string}[]
local function preview(client, id, files)
  if #files == 0 then
    notice.say('nothing has changed since then')
    return
  end
  local lines = { 'ga: restore   q: leave all as it is. What you changed yourself stays.' }
  for _, file in ipairs(files) do
    lines[#lines + 1] = '# ' .. file.path
    lines[#lines + 1] = (file.diff:gsub('\n$', ''))
  end
  local bufnr, window = view.show('checkpoint', lines, 'diff')
  view.closable(bufnr)
  vim.keymap.set('n', 'ga', function()
    vim.cmd.bwipeout()
    restore(client, id)
  end, { buffer = bufnr, desc = 'Restore' })
  vim.api.nvim_set_current_win(window)
end

---@param item table
---@return string
local function label(item)
  local time = vim.fn.strptime('%Y-%m-%dT%H:%M:%S', item.time)
  local zone = item.time:sub(-1) == 'Z' and os.time() - os.time(os.date('!*t')) or 0
  local clock = time > 0 and os.date('%d %b %H:%M:%S', time + zone) or item.time
  local who = item.client and item.client .. ': ' or ''
  return ('%s  %d files since  %s%s'):format(clock, item.files, who, item.reason)
end

--- `:AgentLsp checkpoints`: chooses one to go back to.
function M.choose()
  local client = calls.pick()
  if not client then
    notice.say('no server runs')
    return
  end
  hunks.request(client, 'agent/checkpoint/list', {}, function(result)
    if #result.checkpoints == 0 then
      notice.say('no assistant has changed anything yet')
      return
    end
    local options = { prompt = 'Go back to', format_item = label }
    vim.ui.select(result.checkpoints, options, function(chosen)
      if chosen then
        local params = { id = chosen.id, dry_run = true }
        hunks.request(client, 'agent/checkpoint/restore', params, function(dry)
          preview(client, chosen.id, dry.files)
        end)
      end
    end)
  end)
end

--- `:AgentLsp forget`: drops the history of the workspace.
function M.forget()
  local client = calls.pick()
  local question = 'Forget what assistants changed here? Changes stay, but cannot be reverted.'
  if client and vim.fn.confirm(question, '&No\n&Forget', 1) == 2 then
    hunks.request(client, 'agent/history/clear', {}, function()
      notice.say('the history of this workspace is forgotten')
    end)
  end
end

return M
