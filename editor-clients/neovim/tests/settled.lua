-- nvim -l tests/settled.lua [N]: N edits that break and mend a Go module of two packages, each
-- asked about at once and until it is settled, judged by `go vet`. Ends with what was found, and
-- fails where a stale error was told as current, or "clean" while it was not. Environment: as
-- run.sh.

local here = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h')
package.path = here .. '/?.lua;' .. package.path
local editor = require('editor')

local EDITS = tonumber(arg[1]) or 20

local e = editor.start({
  files = {
    ['go.mod'] = 'module example.org/a\n\ngo 1.21\n',
    ['lib/lib.go'] = 'package lib\n\nfunc One() int { return 1 }\n\nfunc Two() int { return 2 }\n',
    ['main.go'] = 'package main\n\nimport "example.org/a/lib"\n\n'
      .. 'func main() {\n\tprintln(lib.One(), lib.Two())\n}\n',
  },
  before = [[
    vim.cmd('filetype on')
    vim.lsp.config('gopls', {
      cmd = { vim.env.GOPLS },
      filetypes = { 'go' },
      root_markers = { 'go.mod' },
    })
    vim.lsp.enable('gopls')]],
})

-- What is edited, and into what: in the file itself, and so that another package breaks.
local kinds = {
  { 'main.go', 'println(lib.One', 'println(lib.Ona' },
  { 'lib/lib.go', 'func One() int', 'func One(x int) int' },
  { 'lib/lib.go', 'return 2 }', 'return "2" }' },
  { 'lib/lib.go', 'func Two()', 'func Too()' },
}

e:open('lib/lib.go')
e:open('main.go')
editor.eventually(function()
  return e:call('diagnostics', { wait_ms = 20000 }).state == 'settled'
end, 60000)

--- What the compiler says: whether each file has errors.
local function truth()
  local built = vim.system({ 'go', 'vet', './...' }, { text = true, cwd = e.dir }):wait()
  local wrong = {}
  for file in (built.stderr or ''):gmatch('([%w/._]+%.go):%d+:%d+') do
    wrong[file:gsub('^%./', ''):gsub('^vet: ', '')] = true
  end
  return wrong
end

local figures = { asked = 0, settled = 0, stale = 0, clean = 0 }
local times = {}

local function ask(path, wait_ms, wrong)
  local answer = e:call('diagnostics', { path = path, wait_ms = wait_ms })
  if answer.state == 'settled' then
    if answer.errors > 0 and not wrong[path] then
      figures.stale = figures.stale + 1
    elseif answer.errors == 0 and wrong[path] then
      figures.clean = figures.clean + 1
    end
  end
  return answer
end

math.randomseed(1)
for _ = 1, EDITS / 2 do
  local kind = kinds[math.random(#kinds)]
  local from, to = kind[2], kind[3]
  for _ = 1, 2 do
    local arguments = { path = kind[1], old_text = from, new_text = to, save = 'always' }
    arguments.expected_hash = e:read(kind[1]).content_hash
    local edit = e:call('edit_file', arguments)
    assert(edit.files, vim.inspect(edit))
    local begun = vim.uv.hrtime()
    local quick = {}
    for _, path in ipairs({ 'main.go', 'lib/lib.go' }) do
      quick[path] = e:call('diagnostics', { path = path, wait_ms = 0 })
    end
    local settled = e:call('diagnostics', { path = 'main.go', wait_ms = 20000 })
    times[#times + 1] = (vim.uv.hrtime() - begun) / 1e6
    local wrong = truth()
    for path, answer in pairs(quick) do
      if answer.state == 'settled' and (answer.errors > 0) ~= (wrong[path] or false) then
        local what = answer.errors > 0 and 'stale' or 'clean'
        figures[what] = figures[what] + 1
        io.stdout:write(('at once, %s: %d errors\n'):format(path, answer.errors))
      end
    end
    figures.asked = figures.asked + 1
    figures.settled = figures.settled + (settled.state == 'settled' and 1 or 0)
    ask('main.go', 20000, wrong)
    ask('lib/lib.go', 20000, wrong)
    from, to = to, from
  end
end
e:stop()

table.sort(times)
io.stdout:write(
  ('%d edits, %d settled; told as current: %d stale errors, %d clean that are not; '):format(
    figures.asked,
    figures.settled,
    figures.stale,
    figures.clean
  ),
  ('settled after %.0f ms (median), %.0f ms (95 %%)\n'):format(
    times[math.ceil(#times / 2)],
    times[math.ceil(#times * 0.95)]
  )
)
os.exit(figures.stale + figures.clean == 0 and 0 or 1)
