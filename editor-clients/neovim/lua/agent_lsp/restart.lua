--- A server that ends unasked is started again: soon, and a few times only.

local notice = require('agent_lsp.notice')

local M = {}

local LIMIT = 5 -- starts within WINDOW; then it stays down
local WINDOW = 60000 -- ms
local PATIENCE = 2000 -- ms a server has to end by itself
local STARTING = 1000 -- ms within which a server is expected to have started
local POLL = 20 -- ms
local FIRST_DELAY = 100 -- ms, doubled each time: 0.1, 0.2, 0.4, 0.8, 1.6 s

---@class agent_lsp.Health
---@field ends integer[] times (ms) at which the server ended unasked
---@field down? string why it is not started again

---@type table<string, agent_lsp.Health> by root
local roots = {}

---@type string? what is said when a server is there again
local news

---@param root? string
---@return agent_lsp.Health
local function health(root)
  root = root or ''
  roots[root] = roots[root] or { ends = {} }
  return roots[root]
end

--- Why no server is started for a root; nil while one may be.
---@param root? string
---@return string?
function M.is_down(root)
  for path, entry in pairs(roots) do
    if
      entry.down and (path == (root or '') or require('agent_lsp.roots').contains(path, root or ''))
    then
      return entry.down
    end
  end
end

---@return table<string, string> reason by root
function M.down()
  local down = {}
  for root, entry in pairs(roots) do
    down[root] = entry.down
  end
  return down
end

--- Calls back when no server of ours runs any more; one that does not end by itself is ended, and
--- one that even then stays is left alone.
---@param patience integer ms
---@param callback fun()
local function when_ended(patience, callback)
  local running = vim.lsp.get_clients({ name = require('agent_lsp.attach').NAME })
  if #running == 0 or patience < -PATIENCE then
    callback()
    return
  end
  if patience <= 0 then
    for _, client in ipairs(running) do
      client:stop(true)
    end
  end
  vim.defer_fn(function()
    when_ended(patience - POLL, callback)
  end, POLL)
end

--- Ends every server and starts them again, with a clean record.
function M.all()
  local attach = require('agent_lsp.attach')
  roots = {}
  attach.retry()
  for _, client in ipairs(vim.lsp.get_clients({ name = attach.NAME })) do
    client:stop()
  end
  news = 'the server is started anew'
  when_ended(PATIENCE, function()
    attach.all()
    vim.defer_fn(function()
      if #vim.lsp.get_clients({ name = attach.NAME }) == 0 then
        news = nil
        notice.say('no server runs yet; see :AgentLsp status')
      end
    end, STARTING)
  end)
end

--- A server has started: says so, where the one before it has ended.
function M.back()
  if news then
    notice.say(news)
    news = nil
  end
end

---@param ends integer[]
---@param now integer
---@return integer[]
local function recent(ends, now)
  return vim.tbl_filter(function(time)
    return now - time < WINDOW
  end, ends)
end

---@param ending agent_lsp.End
---@return string
local function how(ending)
  if ending.signal ~= 0 then
    return 'signal ' .. ending.signal
  end
  return 'exit code ' .. ending.code
end

---@param entry agent_lsp.Health
---@param ending agent_lsp.End
local function give_up(entry, ending)
  entry.down = ('the server ended %d times within a minute'):format(#entry.ends)
    .. (', at last with exit code %d and signal %d'):format(ending.code, ending.signal)
  news = nil
  local message = 'server ended %d times (%s): not started again'
  notice.say(message:format(#entry.ends, how(ending)), vim.log.levels.ERROR)
end

---@return boolean
local function wanted()
  return require('agent_lsp.attach').enabled() and vim.v.exiting == vim.NIL
end

---@class agent_lsp.End How a server ended.
---@field code integer
---@field signal integer
---@field client_id integer
---@field root? string

---@param ending agent_lsp.End
local function ended(ending)
  local client = require('agent_lsp.client')
  local asked = client.was_stopped(ending.client_id)
  client.forget(ending.client_id)
  require('agent_lsp.calls').fail(ending.client_id)
  require('agent_lsp.consent').forget(ending.client_id)
  require('agent_lsp.activity').forget(ending.client_id)
  if asked or not wanted() then
    return
  end
  local entry = health(ending.root)
  local now = vim.uv.now()
  entry.ends = recent(entry.ends, now)
  table.insert(entry.ends, now)
  if #entry.ends > LIMIT then
    return give_up(entry, ending)
  end
  news = ('the server ended (%s) and is back'):format(how(ending))
  vim.defer_fn(function()
    if wanted() then
      require('agent_lsp.attach').all()
    end
  end, FIRST_DELAY * 2 ^ (#entry.ends - 1))
end

--- `on_exit`. Neovim calls it outside its main loop, and detaches the buffers in its next turn.
---@param code integer
---@param signal integer
---@param client_id integer
function M.on_exit(code, signal, client_id)
  local client = vim.lsp.get_client_by_id(client_id)
  local known = require('agent_lsp.client').ending(client_id)
  local ending = {
    code = known and known.code or code,
    signal = known and known.signal or signal,
    client_id = client_id,
    root = client and client.root_dir,
  }
  vim.schedule(function()
    vim.schedule(function()
      ended(ending)
    end)
  end)
end

return M
