-- nvim -l demo.lua FOLDER: the main job in a real Neovim, as a transcript for people.
-- Each step is checked: a transcript that tells something untrue ends with an error.

local here = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h')
package.path = here .. '/?.lua;' .. package.path
local editor = require('editor')

local color = not vim.env.NO_COLOR and (vim.env.FORCE_COLOR or vim.uv.guess_handle(1) == 'tty')

local function paint(code, text)
  return color and ('\27[' .. code .. 'm' .. text .. '\27[0m') or text
end

local function say(text)
  io.stdout:write(text, '\n')
end

local step_number = 0
local function step(text)
  step_number = step_number + 1
  say('\n' .. paint('1', step_number .. '. ' .. text))
end

local function quote(who, text)
  for line in vim.gsplit((text:gsub('\n$', '')), '\n', { plain = true }) do
    local code = line:match('^%+[^+]') and '32' or line:match('^%-[^-]') and '31' or '0'
    say(paint('2', who .. ' │ ') .. paint(code, line))
  end
end

--- Ends the demo when what it is about to tell is not so.
local function must(what, ok, got)
  if not ok then
    say(paint('31', 'This did not happen: ' .. what))
    say(vim.inspect(got))
    os.exit(1)
  end
end

local function show_call(who, tool, arguments)
  local shown = {}
  for _, key in ipairs(vim.tbl_keys(arguments)) do
    local value = arguments[key]
    if key == 'expected_hash' then
      value = value:sub(1, 18) .. '…'
    end
    shown[#shown + 1] = key .. '=' .. vim.json.encode(value)
  end
  table.sort(shown)
  quote(who, vim.trim(tool .. '  ' .. table.concat(shown, '  ')))
end

--- A call as an assistant makes it, shown as it is sent.
local function ask(nvim, tool, arguments)
  show_call('assistant', tool, arguments)
  return nvim:call(tool, arguments)
end

local source = assert(editor.read(arg[1] .. '/greet.go'))
local test = assert(editor.read(arg[1] .. '/greet_test.go'))
local nvim = editor.start({ files = { ['greet.go'] = source, ['greet_test.go'] = test } })
local path = nvim:path('greet.go')

say(paint('1', 'agent-lsp: what you see in your editor is what the assistant reads and edits.'))
say('A real Neovim, a real server, one small Go project.')

step('A person opens greet.go and types a line. Nothing is saved.')
must('Neovim shows the file to agent-lsp', nvim:open('greet.go'))
nvim:type('7GOfmt.Println("typed a moment ago")<Esc>')
quote('neovim', table.concat(vim.list_slice(nvim:lines(), 5, 9), '\n'))
must('the file on disk is as it was', editor.read(path) == source)
say('On disk, the file is as it was.')

step('An assistant reads the file. The unsaved line is in the answer.')
local read = ask(nvim, 'read_file', { path = 'greet.go', start_line = 5, end_line = 9 })
must(
  'the answer holds the unsaved line',
  read.content and read.content:find('typed a moment ago', 1, true) and read.dirty,
  read
)
quote('agent-lsp', read.content)
quote('agent-lsp', ('source: %s, unsaved changes: %s'):format(read.source, tostring(read.dirty)))
quote('agent-lsp', 'content_hash: ' .. read.content_hash)

step('It asks what the file defines. A function typed just now is there, and is read by its name.')
nvim:type('Go<CR>// wave is not saved.<CR>func wave() {<CR>}<Esc>gg')
local outline = ask(nvim, 'outline', { path = 'greet.go' })
local function line_of(symbol)
  return ('%d-%d %s'):format(symbol.start_line, symbol.end_line, symbol.signature)
end
local lines = table.concat(vim.tbl_map(line_of, outline.symbols or {}), '\n')
must('the outline has the unsaved function', lines:find('func wave()', 1, true), lines)
quote('agent-lsp', lines)
local wave = ask(nvim, 'read_file', { path = 'greet.go', symbol = 'wave', format = 'plain' })
local comment = '// wave is not saved.'
must('the definition comes whole', wave.content and wave.content:find(comment, 1, true), wave)
quote('agent-lsp', wave.content)
read = nvim:call('read_file', { path = 'greet.go' })

step('It looks around. A search finds what was typed just now, and what is on disk.')
local found = ask(nvim, 'grep_files', { pattern = 'wave\\(|Hello\\(' })
lines = ''
for _, file in ipairs(found.files or {}) do
  local state = file.dirty and 'unsaved' or file.source
  lines = lines .. ('%s [%s]\n'):format(file.path, state)
  for _, hit in ipairs(file.hits) do
    lines = lines .. ('%d: %s   (in %s)\n'):format(hit.line, vim.trim(hit.text), hit.symbol)
  end
end
must('it finds the unsaved function', lines:find('17: func wave() {', 1, true), found)
must('it finds the file on disk', lines:find('greet_test.go [disk]', 1, true), found)
must('it gives the hash for an edit', found.files[1].content_hash == read.content_hash, found)
quote('agent-lsp', lines)
local named = ask(nvim, 'find_files', { pattern = 'grt test' })
local first = named.files and named.files[1] or {}
must('a file is found by a few letters', first.path == 'greet_test.go', named)
quote('agent-lsp', first.path)
local listed = ask(nvim, 'list_directory', {})
must('the folder is listed', listed.total == 2 and listed.entries[1].dirty, listed)
for _, entry in ipairs(listed.entries) do
  local state = entry.dirty and '  [unsaved]' or ''
  quote('agent-lsp', ('%s  %d bytes%s'):format(entry.name, entry.size, state))
end

step('It edits the file, under the hash of the text that it read.')
local edit = ask(nvim, 'edit_file', {
  path = 'greet.go',
  expected_hash = read.content_hash,
  old_text = 'Hello, %s!',
  new_text = 'Hello, dear %s!',
})
must('the edit landed', edit.files and edit.files[1].action == 'modified', edit)
quote('agent-lsp', edit.files[1].diff)
must("the edit is in the person's buffer", nvim:lines()[8]:find('dear', 1, true), nvim:lines())
quote('neovim', table.concat(vim.list_slice(nvim:lines(), 5, 9), '\n'))
must('the file on disk is as it was', editor.read(path) == source)
say('On disk, the file is still as it was: the person had unsaved changes, so saving is theirs.')

step('A second assistant still holds the old hash. Its edit is refused, and nothing is lost.')
local stale = ask(nvim, 'edit_file', {
  path = 'greet.go',
  expected_hash = read.content_hash,
  old_text = 'Goodbye',
  new_text = 'Farewell',
})
must('the stale edit was refused', stale.error and stale.error.kind == 'stale_file', stale)
quote('agent-lsp', stale.error.kind .. ': ' .. stale.error.message)
quote('agent-lsp', (stale.error.hint:gsub('(sha256:%x%x%x%x%x%x%x%x)%x+', '%1…')))

step('The person presses u. The edit is one undo step; what they typed stays.')
nvim:type('u')
local undone = table.concat(nvim:lines(), '\n')
must('undo took the edit back', not undone:find('dear', 1, true), undone)
must('undo left the typed line', undone:find('typed a moment ago', 1, true), undone)
quote('neovim', table.concat(vim.list_slice(nvim:lines(), 5, 9), '\n'))

step('The person takes it again with Ctrl-R and saves with :w.')
nvim:type('<C-R>')
nvim:lua('vim.cmd.write()')
local saved = assert(editor.read(path))
must(
  'the saved file holds both',
  saved:find('dear', 1, true) and saved:find('typed a moment ago', 1, true),
  saved
)
local after = ask(nvim, 'read_file', { path = 'greet.go', if_hash = edit.files[1].content_hash })
must('the hash after the edit is that of the saved file', after.not_modified, after)
quote('agent-lsp', 'not modified: the hash that the edit gave is that of the file on disk now')
must('that hash is the SHA-256 of the file', editor.hash(path) == edit.files[1].content_hash)
quote('sha256sum', editor.hash(path))

step('Another assistant, a process of its own that nobody in the editor started: agent-lsp mcp.')
nvim:type('GOvar later = "typed, not saved"<Esc>gg')
local mcp = editor.mcp(nvim, 'another-assistant')

--- A call over MCP, shown as it is sent; returns the text that the model reads.
local function ask_mcp(tool, arguments)
  show_call('mcp client', tool, arguments)
  local result = mcp:call(tool, arguments)
  return result.content[1].text, result.isError
end

local seen = ask_mcp('read_file', { path = 'greet.go', start_line = 5, end_line = 20 })
must('it reads the unsaved text', seen:find('var later', 1, true), seen)
quote('agent-lsp', seen)
local hits = ask_mcp('grep_files', { pattern = 'not saved"' })
must('it finds the unsaved text', hits:find('var later', 1, true), hits)
quote('agent-lsp', hits)
local answer, refused = ask_mcp('edit_file', {
  path = 'greet.go',
  expected_hash = seen:match('hash (%x+)'),
  old_text = 'var later = "typed, not saved"',
  new_text = 'var later = "typed, not saved; changed by an assistant"',
})
must('its edit landed', not refused, answer)
quote('agent-lsp', answer)
local now = table.concat(nvim:lines(), '\n')
must("the edit is in the person's buffer", now:find('changed by an assistant', 1, true), now)
must('and not on disk', editor.read(path) == saved)
say('The edit is in the buffer, unsaved like the text around it. On disk, the file is as it was.')

step('The person sees who did what.')
must(
  'the statusline names the assistant',
  editor.eventually(function()
    return nvim:lua("return require('agent_lsp').statusline()"):find('another-assistant', 1, true)
  end)
)
quote('statusline', nvim:lua("return require('agent_lsp').statusline()"))
nvim:lua("vim.cmd.AgentLsp('activity')")
local activity = editor.shown(nvim, 'activity')
must('the list has the edit', activity:find('another-assistant  edited', 1, true), activity)
for line in vim.gsplit(activity, '\n', { plain = true }) do
  if line:find('another-assistant', 1, true) then
    quote(':AgentLsp activity', line)
  end
end
mcp:stop()

nvim:stop()
say('\n' .. paint('32', 'Everything above was checked while it ran.'))
