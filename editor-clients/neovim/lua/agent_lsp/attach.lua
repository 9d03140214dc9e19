--- Which buffers the server mirrors, and the way in for those that Neovim's FileType event does not
--- reach.

local M = {}

M.NAME = 'agent_lsp'

---@type table<integer, true> buffers that were attached since they were loaded
local met = {}

---@type table<string, string|false> why a program cannot be started, by name; false when it can
local unfit = {}

--- Whether the user wants the server: `vim.lsp.enable('agent_lsp')`.
---@return boolean
function M.enabled()
  if vim.lsp.is_enabled then
    return vim.lsp.is_enabled(M.NAME)
  end
  return vim.lsp._enabled_configs[M.NAME] ~= nil -- Neovim 0.11.0 has no public question for it
end

--- An ordinary text buffer: loaded, not a terminal, help page, quickfix list or plugin's window,
--- and not a folder or a remote address.
---@param bufnr integer
---@return boolean
function M.wants(bufnr)
  if not vim.api.nvim_buf_is_loaded(bufnr) or vim.bo[bufnr].buftype ~= '' then
    return false
  end
  local name = vim.api.nvim_buf_get_name(bufnr)
  if name == '' then
    return vim.bo[bufnr].buflisted and vim.bo[bufnr].modified
  end
  return not name:match('^%a[%w+.-]*://') and vim.fn.isdirectory(name) == 0
end

---@param bufnr integer
---@return boolean
local function attached(bufnr)
  return #vim.lsp.get_clients({ bufnr = bufnr, name = M.NAME }) > 0
end

--- Why a program cannot be started here: not found, or not made for this machine.
---@param program string
---@return string?
local function problem_of(program)
  local path = vim.fn.exepath(program)
  if path == '' then
    return program .. ' was not found'
  end
  local ok, process = pcall(vim.system, { path, 'version' }, { text = true })
  if not ok then
    return ('%s cannot run here (%s)'):format(
      vim.fs.basename(path),
      tostring(process):match('[%u_]+')
    )
  end
end

--- Whether there is a program to start; says once why not. Neovim itself only logs it, or says it
--- at each buffer.
---@param config vim.lsp.Config
---@return boolean
function M.startable(config)
  if type(config.cmd) ~= 'table' then
    return true
  end
  local program = config.cmd[1]
  if unfit[program] == nil then
    unfit[program] = problem_of(program) or false
  end
  if unfit[program] then
    require('agent_lsp.notice').once('program', unfit[program] .. '; see :checkhealth')
  end
  return not unfit[program]
end

--- Has every program be tried again.
function M.retry()
  unfit = {}
  require('agent_lsp.notice').forget('program')
end

--- Attaches a buffer as Neovim itself would, starting the server when none serves its root.
---@param bufnr integer
function M.ensure(bufnr)
  if not M.wants(bufnr) or attached(bufnr) then
    return
  end
  local config = vim.lsp.config[M.NAME]
  if not config then
    return
  end
  config = vim.deepcopy(config)
  local function start(root)
    config.root_dir = root
    if not M.startable(config) then
      return
    end
    vim.lsp.start(config, { bufnr = bufnr, reuse_client = config.reuse_client, silent = true })
  end
  if type(config.root_dir) == 'function' then
    config.root_dir(bufnr, start)
  else
    start(config.root_dir or require('agent_lsp.roots').of(bufnr))
  end
end

--- Every loaded buffer, as after the server came back.
function M.all()
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    M.ensure(bufnr)
  end
end

--- Attaches at once what the events of this very moment will attach only later, so that a tool
--- called now sees it. What somebody detached stays so; where no server runs none is started.
function M.catch_up()
  if not M.enabled() or #vim.lsp.get_clients({ name = M.NAME }) == 0 then
    return
  end
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    if not met[bufnr] then
      M.ensure(bufnr)
    end
  end
end

---@param bufnr integer
function M.meet(bufnr)
  met[bufnr] = true
end

--- A buffer was unloaded: its next text is new to the servers.
---@param bufnr integer
function M.forget(bufnr)
  met[bufnr] = nil
end

--- A client that has just started takes the open buffers below its folders, also those another
--- client of ours serves already: each server must know that these files are open before it writes
--- any.
---@param client vim.lsp.Client
function M.adopt(client)
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    local name = vim.api.nvim_buf_get_name(bufnr)
    if name ~= '' and M.wants(bufnr) and require('agent_lsp.roots').holds(client, name) then
      vim.lsp.buf_attach_client(bufnr, client.id)
    end
  end
end

--- The same the other way round: a buffer that was attached to one client goes to every client with
--- a folder above it.
---@param bufnr integer
function M.share(bufnr)
  local name = vim.api.nvim_buf_get_name(bufnr)
  for _, client in ipairs(vim.lsp.get_clients({ name = M.NAME })) do
    if
      name ~= ''
      and not client.attached_buffers[bufnr]
      and require('agent_lsp.roots').holds(client, name)
    then
      vim.lsp.buf_attach_client(bufnr, client.id)
    end
  end
end

--- Callback of the plugin's own events. Scheduled, because Neovim's FileType event, when one comes,
--- should win.
---@param event vim.api.keyset.create_autocmd.callback_args
function M.on_buffer(event)
  if not M.enabled() then
    return
  end
  require('agent_lsp.events').setup()
  local named = vim.api.nvim_buf_get_name(event.buf) ~= ''
  if named and event.event == 'BufModifiedSet' then
    return
  end
  if event.event ~= 'BufModifiedSet' then
    require('agent_lsp.disk').note(event.buf)
  end
  vim.schedule(function()
    if vim.api.nvim_buf_is_valid(event.buf) then
      M.ensure(event.buf)
    end
  end)
end

return M
