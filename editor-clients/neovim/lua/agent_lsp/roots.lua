--- Which folder a buffer belongs to, and which running client serves it.
---
--- One client serves a root and everything below it. A file outside every project goes to the
--- client of the working directory: the server mirrors it as a document outside its roots. The home
--- folder and `/` become roots only when they hold a marker.

local M = {}

---@param path string
---@param markers (string|string[])[]
---@return string?
local function nearest(path, markers)
  for _, marker in ipairs(markers) do
    local hit = vim.fs.find(marker, { upward = true, path = path, limit = 1 })[1]
    if hit then
      return vim.fs.dirname(hit)
    end
  end
end

---@param dir string
---@param path string
---@return boolean
function M.contains(dir, path)
  if dir == '' then
    return false
  end
  return path == dir or vim.startswith(path, dir:sub(-1) == '/' and dir or dir .. '/')
end

---@return (string|string[])[]
local function markers()
  local config = vim.lsp.config.agent_lsp
  return config and config.root_markers or { '.git' }
end

--- The root for files of no project: the working directory's.
---@return string?
local function of_cwd()
  local cwd = vim.fs.normalize(vim.fn.getcwd())
  local root = nearest(cwd, markers())
  if root then
    return root
  end
  local home = vim.uv.os_homedir()
  if cwd ~= '/' and cwd ~= (home and vim.fs.normalize(home)) then
    return cwd
  end
end

---@param bufnr integer
---@return string? root absolute; nil when the buffer belongs nowhere
function M.of(bufnr)
  local name = vim.api.nvim_buf_get_name(bufnr)
  if name == '' then
    return of_cwd()
  end
  return nearest(vim.fs.dirname(vim.fs.normalize(name)), markers()) or of_cwd()
end

--- `root_dir` of the configuration: not calling `on_dir` leaves the buffer alone.
---@param bufnr integer
---@param on_dir fun(root?: string)
function M.find(bufnr, on_dir)
  if not require('agent_lsp.attach').wants(bufnr) then
    return
  end
  local root = M.of(bufnr)
  if
    not require('agent_lsp.restart').is_down(root)
    and require('agent_lsp.attach').startable(vim.lsp.config.agent_lsp)
  then
    on_dir(root)
  end
end

---@param client vim.lsp.Client
---@param path string absolute
---@return boolean
function M.holds(client, path)
  for _, folder in ipairs(client.workspace_folders or {}) do
    if M.contains(vim.uri_to_fname(folder.uri), path) then
      return true
    end
  end
  return false
end

--- `reuse_client` of the configuration: a client serves its folders and what lies below them.
---@param client vim.lsp.Client
---@param config vim.lsp.ClientConfig
---@return boolean
function M.covers(client, config)
  if client.name ~= config.name or client:is_stopped() then
    return false
  end
  if not config.root_dir then
    return not client.workspace_folders or #client.workspace_folders == 0
  end
  return M.holds(client, config.root_dir)
end

return M
