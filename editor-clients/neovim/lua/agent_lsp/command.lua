--- `:AgentLsp`: the subcommands and their completion.

local M = {}

local notice = require('agent_lsp.notice')

local HOSTS = {
  'claude',
  'codex',
  'copilot',
  'gemini',
  'qwen',
  'opencode',
  'crush',
  'amp',
  'vscode',
  'zed',
  'cursor',
}

---@class agent_lsp.Subcommand
---@field run fun(args: string[], first?: integer, last?: integer) lines of a range, from 1
---@field complete? fun(lead: string): string[]

---@param title string
---@param text string
local function show(title, text)
  local view = require('agent_lsp.view')
  local bufnr, window = view.show(title, { text })
  view.closable(bufnr)
  vim.api.nvim_set_current_win(window)
end

--- What the program ends with when it was called wrongly.
local WRONG_CALL = 2

--- Runs the program with a command of its own and shows what it prints; of a wrong call only what
--- is wrong.
---@param title string
---@param arguments string[]
local function program(title, arguments)
  local config = vim.lsp.config.agent_lsp
  if
    not config
    or type(config.cmd) ~= 'table'
    or not require('agent_lsp.attach').startable(config)
  then
    notice.say('no program to run; see :checkhealth agent_lsp', vim.log.levels.WARN)
    return
  end
  local command = vim.list_extend({ config.cmd[1] }, arguments)
  vim.system(command, { text = true, cwd = vim.fn.getcwd() }, function(done)
    vim.schedule(function()
      if done.code == WRONG_CALL then -- "invalid_params: what; how it is used", on the last line
        local problem = vim.trim(done.stderr or ''):match('[^\n]*$')
        problem = problem:gsub('^[%l_]+: ', ''):gsub('; "agent%-lsp[^;]*$', '')
        notice.say(problem, vim.log.levels.ERROR)
        return
      end
      show(title, vim.trim((done.stdout or '') .. (done.stderr or '')))
    end)
  end)
end

---@return string
local function root()
  local client = require('agent_lsp.calls').pick()
  return client and client.root_dir or vim.fn.getcwd()
end

---@return string[]
local function ids()
  return require('agent_lsp.activity').ids()
end

---@return string[]
local function parts()
  return { 'file', 'all' }
end

---@type table<string, agent_lsp.Subcommand>
local commands = {
  status = {
    run = function()
      show('status', table.concat(require('agent_lsp.status').lines(), '\n'))
    end,
  },
  activity = {
    run = function(args)
      if args[1] == 'quickfix' then
        require('agent_lsp.activity').quickfix()
      else
        require('agent_lsp.activity_list').show()
      end
    end,
    complete = function()
      return { 'quickfix' }
    end,
  },
  edits = {
    run = function(args)
      require('agent_lsp.history').show(args[1])
    end,
    complete = function(lead)
      return vim.fn.getcompletion(lead, 'file')
    end,
  },
  revert = {
    run = function(args)
      require('agent_lsp.history').revert(args[1])
    end,
    complete = ids,
  },
  review = {
    run = function(args)
      require('agent_lsp.review').show(args[1])
    end,
    complete = ids,
  },
  apply = {
    run = function(args)
      local consent = require('agent_lsp.consent')
      local ways = {
        all = consent.apply_all,
        file = consent.allow_file,
        session = consent.allow_session,
      }
      local way = ways[args[1]] or consent.apply
      way()
    end,
    complete = function()
      return { 'all', 'file', 'session' }
    end,
  },
  reject = {
    run = function(args)
      require('agent_lsp.consent').reject(table.concat(args, ' '))
    end,
  },
  next = {
    run = function()
      require('agent_lsp.hunk_marks').go(1)
    end,
  },
  prev = {
    run = function()
      require('agent_lsp.hunk_marks').go(-1)
    end,
  },
  keep = {
    run = function(args, first, last)
      require('agent_lsp.hunks').keep(args, first, last)
    end,
    complete = parts,
  },
  undo = {
    run = function(args, first, last)
      require('agent_lsp.hunks').undo(args, first, last)
    end,
    complete = parts,
  },
  changes = {
    run = function()
      require('agent_lsp.hunks').quickfix()
    end,
  },
  checkpoints = {
    run = function()
      require('agent_lsp.checkpoints').choose()
    end,
  },
  forget = {
    run = function()
      require('agent_lsp.checkpoints').forget()
    end,
  },
  send = {
    run = function(args, first, last)
      require('agent_lsp.point').send(args[1], first, last)
    end,
    complete = function()
      return { 'file', 'diagnostics' }
    end,
  },
  follow = {
    run = function(args)
      require('agent_lsp.follow').set(args[1])
    end,
    complete = function()
      return { 'on', 'off' }
    end,
  },
  doctor = {
    run = function()
      program('doctor', { 'doctor', '--root', root() })
    end,
  },
  restart = {
    run = function()
      require('agent_lsp').restart()
    end,
  },
  setup = {
    run = function(args)
      if #args == 0 then
        notice.say('setup ' .. table.concat(HOSTS, '|'))
        return
      end
      program('setup', vim.list_extend({ 'setup' }, args))
    end,
    complete = function()
      local flags = { '--write', '--project', '--hooks', '--allow=all', '--allow=none', '--remove' }
      return vim.list_extend(flags, HOSTS)
    end,
  },
  log = {
    run = function()
      require('agent_lsp.log').open()
    end,
  },
}

---@return string[]
local function names()
  local list = vim.tbl_keys(commands)
  table.sort(list)
  return list
end

--- Runs `:AgentLsp` with these words; `status` without any.
---@param words string[]
---@param first? integer of the lines it was given, from 1
---@param last? integer
function M.run(words, first, last)
  local name = words[1] or 'status'
  if commands[name] then
    commands[name].run(vim.list_slice(words, 2), first, last)
  else
    notice.say(('no subcommand %s; Tab completes them'):format(name), vim.log.levels.WARN)
  end
end

---@param lead string
---@param line string the command line up to the cursor
---@return string[]
function M.complete(lead, line)
  local words = vim.split(vim.trim(line:gsub('^.-AgentLsp', '', 1)), '%s+', { trimempty = true })
  local choices
  if #words == 0 or #words == 1 and lead ~= '' then
    choices = names()
  else
    local command = commands[words[1]]
    choices = command and command.complete and command.complete(lead) or {}
  end
  return vim.tbl_filter(function(choice)
    return vim.startswith(choice, lead)
  end, choices)
end

return M
