--- Messages for the person: each is one line that fits the screen. A wider one would bring Neovim's
--- hit-enter prompt, and while that stands Neovim does nothing that a server asks for.

local M = {}

local ELLIPSIS = '…'

---@type table<string, true>
local said = {}

--- Cuts a text in its middle; its beginning says more than its end.
---@param text string one line
---@param width integer screen cells, none of which may be exceeded
---@return string
function M.cut(text, width)
  if vim.fn.strdisplaywidth(text) <= width then
    return text
  end
  local head, tail = 0, 0
  local length = vim.fn.strcharlen(text)
  local best = vim.fn.strcharpart(ELLIPSIS, 0, math.max(width, 0))
  while head + tail < length do
    if head > 2 * tail then
      tail = tail + 1
    else
      head = head + 1
    end
    local try = vim.fn.strcharpart(text, 0, head)
      .. ELLIPSIS
      .. vim.fn.strcharpart(text, length - tail)
    if vim.fn.strdisplaywidth(try) > width then
      break
    end
    best = try
  end
  return best
end

--- Says it in one line; what does not fit is in `:AgentLsp log`.
---@param message string
---@param level? integer of vim.log.levels, INFO by default
function M.say(message, level)
  local whole = 'agent_lsp: ' .. vim.fn.strtrans((vim.trim(message):gsub('%s*\n%s*', ' ')))
  local line = M.cut(whole, vim.v.echospace)
  if line ~= whole then
    require('agent_lsp.log').add(whole)
  end
  pcall(vim.cmd.redraw) -- two messages without a redraw between them make a prompt, too
  vim.notify(line, level or vim.log.levels.INFO)
end

--- Says it, once for each key.
---@param key string
---@param message string
---@param level? integer of vim.log.levels, WARN by default
function M.once(key, message, level)
  if not said[key] then
    said[key] = true
    M.say(message, level or vim.log.levels.WARN)
  end
end

--- Lets a thing be said again.
---@param key string
function M.forget(key)
  said[key] = nil
end

local LEVELS = { vim.log.levels.ERROR, vim.log.levels.WARN, vim.log.levels.INFO }

--- `window/showMessage`
---@param params lsp.ShowMessageParams
function M.show_message(params)
  -- Who says it and the kind of the error say nothing here.
  local message = params.message:gsub('^agent%-lsp: ', ''):gsub('^[%l_]+: ', '')
  M.say(message, LEVELS[params.type])
end

return M
