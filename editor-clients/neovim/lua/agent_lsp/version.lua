--- Whether program and plugin belong together.

local M = {}

--- The plugin's own version; its first two numbers must be the program's.
M.VERSION = '0.1.0'

---@param version string
---@return string? major_minor nil for a build without a version, which nobody can judge
local function series(version)
  return version:match('^v?(%d+%.%d+)%f[^%d]')
end

--- What is wrong with the server that answered; nil when it is the right one.
---@param info? {name: string, version?: string} serverInfo of its answer to initialize
---@return string?
function M.problem(info)
  if not info or info.name ~= 'agent-lsp' then
    return ('the program that was started is %s, not agent-lsp'):format(info and info.name or '?')
  end
  local theirs, ours = series(info.version or ''), series(M.VERSION)
  if theirs and theirs ~= ours then
    local short = info.version:match('^[^+]*') -- the commit behind it would not fit a line
    return ('program %s, plugin %s: versions must match'):format(short, M.VERSION)
  end
end

--- Tells the person once.
---@param client vim.lsp.Client
function M.check(client)
  local problem = M.problem(client.server_info)
  if problem then
    require('agent_lsp.notice').once('version', problem)
  end
end

return M
