--- Messages for the person: each thing is said once, however often it is met.

local M = {}

---@type table<string, true>
local said = {}

--- Says it, once for each key.
---@param key string
---@param message string
---@param level? integer of vim.log.levels, WARN by default
function M.once(key, message, level)
  if not said[key] then
    said[key] = true
    vim.notify('agent_lsp: ' .. message, level or vim.log.levels.WARN)
  end
end

--- Lets a thing be said again.
---@param key string
function M.forget(key)
  said[key] = nil
end

return M
