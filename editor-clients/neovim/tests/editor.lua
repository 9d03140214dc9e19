--- A real Neovim under test: a child process with its own main loop, driven by RPC, with the plugin
--- set up as a user would.

local M = {}

local here = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h')
local plugin = vim.fs.dirname(here)

local WAIT = 10000 -- ms; only a failing test waits this long
local POLL = 5 -- ms

---@class agent_lsp.test.Editor
---@field channel integer
---@field dir string the project the editor works in
---@field env table<string, string>
local Editor = {}
Editor.__index = Editor

--- Runs `probe` until it gives something true; returns what it gave last.
---@param probe fun(): any
---@param timeout? integer ms
---@return any
function M.eventually(probe, timeout)
  local value
  vim.wait(timeout or WAIT, function()
    value = probe()
    return value
  end, POLL)
  return value
end

---@param path string
---@param content string bytes, written as they are
function M.write(path, content)
  vim.fn.mkdir(vim.fs.dirname(path), 'p')
  local file = assert(io.open(path, 'wb'))
  file:write(content)
  file:close()
end

---@param path string
---@return string? bytes
function M.read(path)
  local file = io.open(path, 'rb')
  if not file then
    return nil
  end
  local content = file:read('*a')
  file:close()
  return content
end

--- The hash that the contract promises for a file: of its bytes.
---@param path string
---@return string
function M.hash(path)
  return 'sha256:' .. vim.split(vim.fn.system({ 'sha256sum', path }), ' ')[1]
end

--- A folder with the binary under the name a user has on PATH.
---@param target string
---@return string
local function bin_dir(target)
  local dir = vim.fn.tempname()
  vim.fn.mkdir(dir, 'p')
  assert(vim.uv.fs_symlink(vim.fn.fnamemodify(target, ':p'), dir .. '/agent-lsp'))
  return dir
end

--- A project folder (a `.git` folder makes it a root) with the files given.
---@param files? table<string, string>
---@return string dir
function M.project(files)
  local dir = vim.uv.fs_realpath(vim.fn.fnamemodify(vim.fn.tempname(), ':h'))
    .. '/'
    .. vim.fn.fnamemodify(vim.fn.tempname(), ':t')
  vim.fn.mkdir(dir .. '/.git', 'p')
  for name, content in pairs(files or {}) do
    M.write(dir .. '/' .. name, content)
  end
  return dir
end

--- A small generator of our own, so that a failure can be had again.
---@param seed integer
---@return fun(limit: integer): integer from 1 to limit
function M.randomly(seed)
  return function(limit)
    seed = (seed * 1103515245 + 12345) % 2147483648
    return math.floor(seed / 65536) % limit + 1
  end
end

--- The text of a buffer that the plugin shows; '' when there is none.
---@param e agent_lsp.test.Editor
---@param name string
---@return string
function M.shown(e, name)
  return M.eventually(function()
    local text = e:lua(
      [[
        local bufnr = vim.fn.bufnr('agent-lsp://' .. ...)
        local text = bufnr > 0 and vim.api.nvim_buf_get_lines(bufnr, 0, -1, false)
        return text and table.concat(text, '\n') or '']],
      name
    )
    return text ~= '' and text
  end) or ''
end

--- An assistant in a process of its own, beside an editor.
---@param e agent_lsp.test.Editor
---@param name? string
---@return agent_lsp.test.Mcp
function M.mcp(e, name)
  local command = { vim.env.AGENT_LSP, 'mcp' }
  return require('mcp').start(command, { cwd = e.dir, env = e.env }, name or 'a test')
end

---@class agent_lsp.test.Options
---@field files? table<string, string> content by name
---@field dir? string an existing project instead
---@field binary? string instead of $AGENT_LSP
---@field before? string Lua, run in the editor before its first file

--- Starts an editor in a project.
---@param options? agent_lsp.test.Options
---@return agent_lsp.test.Editor
function M.start(options)
  options = options or {}
  local dir = options.dir or M.project(options.files)
  local env = {
    AGENT_LSP_PLUGIN = plugin,
    PATH = bin_dir(options.binary or vim.env.AGENT_LSP) .. ':' .. vim.env.PATH,
    XDG_STATE_HOME = dir .. '/.git/state',
    XDG_CONFIG_HOME = dir .. '/.git/config',
    XDG_DATA_HOME = dir .. '/.git/data',
    XDG_RUNTIME_DIR = dir .. '/.git',
  }
  local command =
    { vim.v.progpath, '--embed', '--headless', '-u', here .. '/user_init.lua', '-i', 'NONE', '-n' }
  local channel = vim.fn.jobstart(command, { rpc = true, cwd = dir, env = env })
  local editor = setmetatable({ channel = channel, dir = dir, env = env }, Editor)
  editor:lua([[
    sent = {}
    notes = {}
    real_notify = vim.notify
    vim.notify = function(message) notes[#notes + 1] = message end
    vim.api.nvim_create_autocmd('LspNotify', { callback = function(event)
      sent[#sent + 1] = { method = event.data.method, params = event.data.params }
    end })]])
  if options.before then
    editor:lua(options.before)
  end
  return editor
end

--- Runs Lua in the editor, with `...` as arguments, and returns its value.
function Editor:lua(code, ...)
  return vim.rpcrequest(self.channel, 'nvim_exec_lua', code, { ... })
end

--- Types keys as a person would, and waits until the editor has worked them off.
---@param keys string
function Editor:type(keys)
  vim.rpcrequest(self.channel, 'nvim_input', keys)
  while vim.rpcrequest(self.channel, 'nvim_get_mode').blocking do
    vim.wait(POLL)
  end
  self:lua('return vim.wait(1)')
end

---@param name string
---@return string
function Editor:path(name)
  return self.dir .. '/' .. name
end

--- Opens a file and waits until a server mirrors it.
---@param name string
function Editor:open(name)
  self:lua('vim.cmd.edit(...)', self:path(name))
  return self:mirrored()
end

--- Waits until the current buffer is mirrored.
---@return boolean
function Editor:mirrored()
  return M.eventually(function()
    return self:lua([[
      local sync = package.loaded['agent_lsp.sync']
      local doc = sync and sync.doc(vim.api.nvim_get_current_buf())
      return doc ~= nil and next(doc.clients) ~= nil]])
  end)
end

---@return string[]
function Editor:lines()
  return vim.rpcrequest(self.channel, 'nvim_buf_get_lines', 0, 0, -1, false)
end

--- Starts a call; the answer comes from `answer`.
---@param tool string
---@param arguments table
---@return integer id
function Editor:ask(tool, arguments)
  return self:lua(
    [[
      calls = calls or {}
      local id = #calls + 1
      calls[id] = {}
      calls[id].cancel = require('agent_lsp').call(..., select(2, ...), function(err, result)
        calls[id].answer = { err = err, result = result }
      end)
      return id]],
    tool,
    arguments
  )
end

---@param id integer
---@return {err?: table, result?: table}?
function Editor:answer(id)
  local answer = self:lua(
    [[
      local id, timeout = ...
      vim.wait(timeout, function() return calls[id].answer ~= nil end, 1)
      return calls[id].answer]],
    id,
    WAIT
  )
  return answer ~= vim.NIL and answer or nil
end

--- Calls a tool and returns its structured content, or the error in it.
---@param tool string
---@param arguments table
---@return table
function Editor:call(tool, arguments)
  local answer = self:answer(self:ask(tool, arguments))
  if not answer then
    return { error = { kind = 'no answer' } }
  elseif answer.err then
    return { error = { kind = 'call failed', message = vim.inspect(answer.err) } }
  end
  return answer.result.structuredContent
    or { error = { kind = 'no structuredContent', message = vim.inspect(answer.result) } }
end

--- What an assistant reads of a file: the exact text.
---@param name string
---@return table
function Editor:read(name)
  return self:call(
    'read_file',
    { path = name, format = 'plain', max_bytes = 262144, start_byte = 0 }
  )
end

--- A hash-guarded edit as an assistant makes it.
---@param name string
---@param hash string
---@param old string
---@param new string
---@return table
function Editor:edit(name, hash, old, new)
  return self:call('edit_file', {
    path = name,
    expected_hash = hash,
    old_text = old,
    new_text = new,
    save = 'never',
  })
end

--- Has the server's request reach the plugin's handler, as if it came over the wire.
---@param method string
---@param params table
---@return table
function Editor:server_asks(method, params)
  return self:lua(
    [[
      local method, params = ...
      local client = vim.lsp.get_clients({ name = 'agent_lsp' })[1]
      local context = { client_id = client.id, method = method }
      local result, err = client.handlers[method](nil, params, context)
      return result or { err = err }]],
    method,
    params
  )
end

--- The current buffer as the plugin mirrors it.
---@return {uri: string, version: integer}
function Editor:document()
  return self:lua([[
    local doc = require('agent_lsp.sync').doc(vim.api.nvim_get_current_buf())
    return { uri = doc.uri, version = doc.version }]])
end

--- What the current buffer would be as a file, by Neovim's own `:write` to another one.
---@return string? bytes
function Editor:would_write()
  local path = self:path('.git/oracle')
  self:lua("vim.cmd('silent noautocmd keepalt write! ' .. ...)", path)
  return M.read(path)
end

--- Edits of one document, as the server would send them in this position encoding.
---@param uri string
---@param version integer
---@param edits table[]
---@param encoding? string
---@return table
function Editor:apply(uri, version, edits, encoding)
  return self:lua(
    [[
      local uri, version, edits, encoding = ...
      local client = vim.lsp.get_clients({ name = 'agent_lsp' })[1]
      local own = client.offset_encoding
      client.offset_encoding = encoding or own
      local change = { textDocument = { uri = uri, version = version }, edits = edits }
      local answer = client.handlers['workspace/applyEdit'](
        nil,
        { edit = { documentChanges = { change } } },
        { client_id = client.id }
      )
      client.offset_encoding = own
      return answer]],
    uri,
    version,
    edits,
    encoding
  )
end

--- The messages of one kind that the plugin sent since `from`.
---@param method string
---@param from? integer
---@return table[]
function Editor:sent(method, from)
  return self:lua(
    [[
      local method, from = ...
      local found = {}
      for i = from + 1, #sent do
        if sent[i].method == method then
          found[#found + 1] = sent[i].params
        end
      end
      return found]],
    method,
    from or 0
  )
end

--- Process ids of the running servers.
---@return integer[]
function Editor:servers()
  return vim.tbl_filter(function(pid)
    local command = M.read(('/proc/%d/cmdline'):format(pid)) or ''
    return command:find('\0lsp\0', 1, true) -- not the short call that asks for the version
  end, self:lua('return vim.api.nvim_get_proc_children(vim.fn.getpid())'))
end

--- Runs the program, as a person in a shell beside the editor does.
---@param arguments string[]
---@return vim.SystemCompleted
function Editor:program(arguments)
  local command = vim.list_extend({ vim.env.AGENT_LSP }, arguments)
  return vim.system(command, { text = true, cwd = self.dir, env = self.env }):wait(WAIT)
end

--- Gives the editor a screen.
---@param columns integer
---@param rows integer
function Editor:attach_ui(columns, rows)
  self:lua('return 1') -- as the first call of all, attaching would end the editor
  vim.rpcrequest(self.channel, 'nvim_ui_attach', columns, rows, { rgb = true })
end

function Editor:stop()
  pcall(vim.rpcnotify, self.channel, 'nvim_command', 'qall!')
  if vim.fn.jobwait({ self.channel }, 2000)[1] == -1 then
    vim.fn.jobstop(self.channel)
  end
end

return M
