-- What a person sees of a change: side by side, before they agree and after it was made.
return function(t, editor)
  local FILE = '.vscode/settings.json'
  local code = {}
  for i = 1, 30 do
    code[i] = 'local line_' .. i .. ' = ' .. i
  end
  local files = {
    [FILE] = '{\n  "tabs": true\n}\n',
    ['f.lua'] = table.concat(code, '\n') .. '\n',
  }

  --- The screen, as rows of text. Needs an editor with a user interface.
  local function screen(e)
    return e:lua([[
      vim.cmd.redraw()
      local rows = {}
      for row = 1, vim.o.lines do
        local cells = {}
        for col = 1, vim.o.columns do
          cells[col] = vim.fn.screenstring(row, col)
        end
        rows[row] = (table.concat(cells):gsub('%s+$', ''))
      end
      return rows]])
  end

  local function sees(e, name, part)
    local rows
    local found = editor.eventually(function()
      rows = screen(e)
      return table.concat(rows, '\n'):find(part, 1, true)
    end, 4000)
    t.check('one sees ' .. name, found, rows)
    return rows
  end

  t.with_editor('review', { files = files }, function(e)
    e:attach_ui(100, 24)
    e:open('f.lua')
    e:lua([[
      vim.o.laststatus = 2
      vim.o.statusline = "%f %{v:lua.require'agent_lsp'.statusline()}"]])
    sees(e, 'the statusline', 'f.lua agent-lsp')

    local id = e:ask('edit_file', {
      path = FILE,
      expected_hash = editor.hash(e:path(FILE)),
      old_text = 'true',
      new_text = 'false',
    })
    sees(e, 'who asks', 'neovim wants to change this (edit_file)')
    sees(e, 'the change', '+  "tabs": false')
    sees(e, 'that it waits', 'agent-lsp consent?')
    e:lua("vim.cmd.AgentLsp('review')")
    sees(e, 'both sides', 'you may edit   ga: apply   gr: reject   q: later')
    local rows = screen(e)
    local row = vim.iter(rows):find(function(line)
      return line:find('true', 1, true)
    end)
    t.check('old and new stand side by side', row and row:find('true.*│.*false'), rows)
    e:type('q')
    t.equal('closing it decides nothing', '{\n  "tabs": true\n}\n', editor.read(e:path(FILE)))
    e:lua("vim.cmd.AgentLsp('review')")
    e:type('ga')
    local answer = e:answer(id)
    t.equal('ga agrees', 'modified', answer.result.structuredContent.files[1].action)
    t.equal('and all its windows close', 1, e:lua('return #vim.api.nvim_list_wins()'))

    local hash = e:read('f.lua').content_hash
    local first = e:call('edit_file', {
      path = 'f.lua',
      expected_hash = hash,
      edits = {
        { old_text = 'line_3 = 3', new_text = 'third = 3' },
        { old_text = 'local line_28 = 28\n', new_text = '' },
      },
    })
    e:lua("vim.cmd.edit('f.lua')")
    e:type('gg"_ddOtyped later<Esc>')
    e:lua("vim.cmd.AgentLsp('review')")
    sees(e, 'what was changed', 'now, with ' .. first.id)
    rows = screen(e)
    row = vim.iter(rows):find(function(line)
      return line:find('third', 1, true)
    end)
    t.check('beside what it was before', row and row:find('line_3 = 3.*│.*third = 3'), rows)
    e:type('gr')
    t.check(
      'gr takes it back',
      editor.eventually(function()
        return vim.list_contains(e:lines(), 'local line_28 = 28')
      end)
    )
    t.equal('and leaves what was typed', 'typed later', e:lines()[1])

    e:lua("vim.cmd.AgentLsp('activity')")
    sees(e, 'who is attached, and the keys', 'Enter: show  gr: take back  e: edits  q: close')
    rows = sees(e, 'the calls', 'took back')
    t.check('newest first', table.concat(rows, '\n'):find('took back.*edited.*read'), rows)
  end)

  t.with_editor('new files', { files = {} }, function(e)
    e:open('f.txt')
    local id = e:ask('write_file', { path = FILE, content = 'new\n' })
    editor.eventually(function()
      return editor.shown(e, 'change') ~= ''
    end)
    e:lua("vim.cmd.AgentLsp('review')")
    t.equal('a file that is asked for is on the right', { 'new' }, e:lines())
    e:lua("vim.cmd('AgentLsp reject no')")
    t.equal('no is no', 'rejected_by_user', e:answer(id).result.structuredContent.error.kind)
    t.equal('one window is left', 1, e:lua('return #vim.api.nvim_list_wins()'))
    local made = e:call('write_file', { path = 'g.txt', content = 'made\n' })
    e:lua("vim.cmd.AgentLsp({ args = { 'review', ... } })", made.id)
    editor.eventually(function()
      return e:lua('return vim.wo.diff')
    end)
    t.equal('a file that was made, too', 2, e:lua('return #vim.api.nvim_tabpage_list_wins(0)'))
  end)

  local patch = dofile(vim.env.AGENT_LSP_PLUGIN_DIR .. '/lua/agent_lsp/patch.lua')
  local random = editor.randomly(11)
  local wrong = 0
  for _ = 1, 300 do
    local old, new = {}, {}
    for _ = 1, random(12) do
      table.insert(old, 'l' .. random(4))
    end
    for _, line in ipairs(old) do
      if random(4) > 1 then
        table.insert(new, line)
      end
      if random(4) == 1 then
        table.insert(new, 'n' .. random(3))
      end
    end
    local function text(lines)
      return #lines > 0 and table.concat(lines, '\n') .. '\n' or ''
    end
    local diff = (vim.text and vim.text.diff or vim.diff)(text(old), text(new), { ctxlen = 1 })
    local there, back = patch.apply(old, diff), patch.apply(new, diff, true)
    if not vim.deep_equal(there, new) or not vim.deep_equal(back, old) then
      wrong = wrong + 1
    end
  end
  t.equal('diffs are made and undone, 300 of 300', 0, wrong)
  t.equal('not on another text', nil, patch.apply({ 'x' }, '@@ -1 +1 @@\n-a\n+b\n'))
end
