--- `:checkhealth agent_lsp`: what is found, what is wrong, how to mend it.

local M = {}

local PROGRAM = 'agent-lsp' -- as lsp/agent_lsp.lua has it
local VERSION_TIMEOUT = 2000 -- ms

local health = vim.health

---@return boolean new enough
local function check_neovim()
  local version = tostring(vim.version())
  if vim.fn.has('nvim-0.11') == 1 then
    health.ok('Neovim ' .. version)
    return true
  end
  health.error('Neovim ' .. version .. ' is too old', { 'install Neovim 0.11 or newer' })
  return false
end

---@param path string
---@return string? version
---@return string? problem
local function binary_version(path)
  local ok, process = pcall(vim.system, { path, 'version' }, { text = true })
  if not ok then
    return nil, tostring(process)
  end
  local done = process:wait(VERSION_TIMEOUT)
  if done.code ~= 0 then
    return nil, vim.trim(done.stderr or '')
  end
  return vim.split(vim.trim(done.stdout or ''), '\n')[1]
end

---@param program string
---@return string[] advice
local function find_binary(program)
  local set = "vim.lsp.config('agent_lsp', { cmd = { '/path/to/agent-lsp', 'lsp' } })"
  if program ~= PROGRAM then
    return {
      'your configuration sets cmd; make it name the program: ' .. set,
      'or take cmd out of it and put agent-lsp on your PATH',
    }
  end
  return { 'put agent-lsp on your PATH', 'or say where it is: ' .. set }
end

---@param config vim.lsp.Config
---@return boolean runs
local function check_binary(config)
  if type(config.cmd) ~= 'table' then
    health.info('cmd is a function')
    return true
  end
  local path = vim.fn.exepath(config.cmd[1])
  if path == '' then
    health.error(('%s was not found'):format(config.cmd[1]), find_binary(config.cmd[1]))
    return false
  end
  local version, problem = binary_version(path)
  if version then
    health.ok(('%s: %s'):format(path, version))
  else
    health.error(('%s does not run: %s'):format(path, problem))
  end
  return version ~= nil
end

---@return boolean ready nothing keeps a server from being started
local function check_config()
  local config = vim.lsp.config.agent_lsp
  if not config then
    health.error('there is no configuration lsp/agent_lsp.lua on the runtime path')
    return false
  end
  local enabled = require('agent_lsp.attach').enabled()
  if enabled then
    health.ok('enabled')
  else
    health.warn('not enabled', { "add to your init.lua: vim.lsp.enable('agent_lsp')" })
  end
  return check_binary(config) and enabled
end

---@param client vim.lsp.Client
---@return string[]
local function folders(client)
  return vim.tbl_map(function(folder)
    return vim.uri_to_fname(folder.uri)
  end, client.workspace_folders or {})
end

---@param client vim.lsp.Client
local function report_client(client)
  local info = client.server_info or {}
  health.ok(
    ('attached: client %d, server %s %s'):format(client.id, info.name or '?', info.version or '?')
  )
  local problem = require('agent_lsp.version').problem(client.server_info)
  if problem then
    health.error(problem, { 'the program and the plugin come together; update both' })
  end
  local roots = folders(client)
  if #roots > 0 then
    health.info('roots: ' .. table.concat(roots, ', '))
  else
    health.warn('roots: none; assistants see only what is open, and ask you before each edit', {
      "create .git in the project's folder, or :cd into the project; then :edit the file again",
    })
  end
  health.info('position encoding: ' .. client.offset_encoding)
  local offered = vim.tbl_get(client.capabilities, 'experimental', 'agentLsp') or {}
  local names = vim.tbl_keys(offered)
  table.sort(names)
  health.info('offered to the server: ' .. table.concat(names, ', '))
  local buffers = vim.tbl_count(client.attached_buffers)
  health.info(('buffers mirrored: %d'):format(buffers))
end

---@param doc agent_lsp.Doc
local function report_doc(doc)
  local lossy = doc.valid and '' or ', holds bytes that are not UTF-8: readable, not editable'
  health.info(('%s: version %d, %d lines%s'):format(doc.uri, doc.version, doc.lines, lossy))
end

--- What to do when no server runs.
---@param ready boolean see check_config
---@return string
local function start_advice(ready)
  if not ready then
    return 'first mend what is said above'
  elseif vim.iter(vim.api.nvim_list_bufs()):any(require('agent_lsp.attach').wants) then
    return 'look into :AgentLsp log, then :AgentLsp restart'
  end
  return 'open a file; then look into :AgentLsp log'
end

---@param ready boolean see check_config
local function check_clients(ready)
  local clients = vim.lsp.get_clients({ name = 'agent_lsp' })
  if #clients == 0 then
    health.warn('no server is running', { start_advice(ready) })
  end
  for _, client in ipairs(clients) do
    report_client(client)
  end
  for root, reason in pairs(require('agent_lsp.restart').down()) do
    health.error(
      ('not started any more for %s: %s'):format(
        root == '' and 'files without root' or root,
        reason
      ),
      {
        ':AgentLsp restart tries again',
      }
    )
  end
end

function M.check()
  health.start('agent_lsp: set-up')
  if not check_neovim() then
    return
  end
  local ready = check_config()
  health.start('agent_lsp: servers')
  check_clients(ready)
  health.start('agent_lsp: documents')
  for _, doc in vim.spairs(require('agent_lsp.sync').docs()) do
    report_doc(doc)
  end
end

return M
