-- nvim -l tests/run.lua [NAME]: runs the specs (those whose file name holds NAME) and ends with «N
-- passed, N failed».

local here = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h')
package.path = here .. '/?.lua;' .. package.path
local editor = require('editor')

assert(vim.fn.has('nvim-0.11') == 1, 'the tests need Neovim 0.11 or newer')
assert(
  vim.fn.executable(vim.env.AGENT_LSP or '') == 1,
  'AGENT_LSP must be the path of the agent-lsp binary'
)

vim.env.AGENT_LSP_PLUGIN_DIR = vim.fs.dirname(here)

local passed, failed = 0, 0

local function say(line)
  io.stdout:write(line, '\n')
end

---@param name string
---@param ok any
---@param got? any what there was instead
local function check(name, ok, got)
  if ok then
    passed = passed + 1
    say('ok    ' .. name)
  else
    failed = failed + 1
    say('FAIL  ' .. name .. '\n      ' .. vim.inspect(got):gsub('\n', '\n      '))
  end
end

---@param name string
---@param expected any
---@param got any
local function equal(name, expected, got)
  check(name, vim.deep_equal(expected, got), { expected = expected, got = got })
end

--- Runs one spec with an editor of its own.
local function with_editor(name, options, body)
  local instance = editor.start(options)
  local ok, problem = xpcall(body, debug.traceback, instance)
  if not ok then
    check(name .. ' ran to its end', false, problem)
  end
  instance:stop()
end

local context = { check = check, equal = equal, with_editor = with_editor }

local specs = vim.fn.glob(here .. '/specs/*.lua', true, true)
table.sort(specs)
for _, path in ipairs(specs) do
  if path:find(arg[1] or '', 1, true) then
    say('# ' .. vim.fs.basename(path))
    dofile(path)(context, editor)
  end
end
say(('%d passed, %d failed'):format(passed, failed))
os.exit(failed == 0 and passed > 0 and 0 or 1)
