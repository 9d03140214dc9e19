-- What assistants did: shown, listed, taken back.
return function(t, editor)
  local function buffer(e, name)
    return editor.eventually(function()
      local text = e:lua(
        [[
          local bufnr = vim.fn.bufnr('agent-lsp://' .. ...)
          local text = bufnr > 0 and vim.api.nvim_buf_get_lines(bufnr, 0, -1, false)
          return text and table.concat(text, '\n') or '']],
        name
      )
      return text ~= '' and text
    end)
  end

  local function last_note(e, wanted)
    return editor.eventually(function()
      local note = e:lua("return notes[#notes] or ''")
      return note:find(wanted, 1, true) and note
    end)
  end

  local files = { ['f.txt'] = 'one\ntwo\nthree\nfour\n', ['g.txt'] = 'six\n' }
  t.with_editor('history', { files = files }, function(e)
    e:open('f.txt')
    local function edit(name, old, new)
      return e:edit(name, e:read(name).content_hash, old, new)
    end
    e:lua('vim.cmd.AgentLsp("review")')
    t.check('nothing to show yet', last_note(e, 'has changed anything'), e:lua('return notes'))
    local first = edit('f.txt', 'one', '1')
    edit('g.txt', 'six', '6')
    t.check('an answer has an id', first.id ~= nil, first)
    e:lua('vim.cmd.AgentLsp("edits")')
    local text = buffer(e, 'edits')
    t.check('changes are shown', text and text:find('-one\n+1', 1, true), text)
    t.check('newest first', text and text:find('-six.*-one'), text)

    e:lua("vim.fn.search('-one')")
    e:type('gr')
    t.check('the one under the cursor is taken back', last_note(e, first.id), e:lua('return notes'))
    e:lua('vim.cmd.bwipeout()')
    t.equal('in its buffer', { 'one', 'two', 'three', 'four' }, e:lines())

    e:lua('vim.cmd.AgentLsp("revert")')
    t.check('the last one, on disk', last_note(e, 'g.txt'), e:lua('return notes'))
    t.equal('its file is as before', 'six\n', editor.read(e:path('g.txt')))
    e:lua('vim.cmd.AgentLsp("review")')
    t.check('nothing is left', last_note(e, 'every change was taken back'), e:lua('return notes'))
    for i = 1, 22 do -- more than a list of changes has
      edit('g.txt', i == 1 and 'six' or 'six' .. i - 1, 'six' .. i)
    end
    e:lua('vim.cmd.AgentLsp({ args = { "review", ... } })', first.id)
    t.check('an old one cannot be shown', last_note(e, 'cannot be shown'), e:lua('return notes'))

    local third = edit('f.txt', 'two', '2')
    e:type('GGofive<Esc>')
    e:lua('vim.cmd.AgentLsp({ args = { "revert", ... } })', third.id)
    last_note(e, third.id)
    t.equal('what was typed since stays', { 'one', 'two', 'three', 'four', 'five' }, e:lines())

    local fourth = edit('f.txt', 'three', '3')
    e:type('3GAx<Esc>')
    e:lua('vim.cmd.AgentLsp({ args = { "revert", ... } })', fourth.id)
    t.check('a conflict is told', last_note(e, 'the text changed'), e:lua('return notes'))
    t.equal('and changes nothing', '3x', e:lines()[3])

    e:lua('vim.cmd.AgentLsp("activity")')
    local list = buffer(e, 'activity')
    t.check(
      'the calls are listed',
      list and list:find('neovim\n.*  edited     f.txt: modified'),
      list
    )
    t.check('their changes by id', list and list:find('[' .. first.id .. ']', 1, true), list)
  end)

  local other = editor.project({ ['o.txt'] = 'old\n' })
  t.with_editor('two projects', { files = files }, function(e)
    e:open('f.txt')
    e:lua('vim.cmd.edit(...)', other .. '/o.txt')
    e:mirrored()
    local read = e:read('o.txt')
    local done = e:edit('o.txt', read.content_hash, 'old', 'new')
    e:lua('vim.cmd.edit(...)', e:path('f.txt'))
    e:lua('vim.cmd.AgentLsp("activity")')
    buffer(e, 'activity')
    e:lua('vim.fn.search(...)', done.id)
    e:type('<CR>')
    local diff = editor.eventually(function()
      return e:lua('return vim.wo.diff')
    end)
    t.check("the other project's change is shown", diff, e:lua('return notes'))
    e:type('q')
    e:lua('vim.cmd.AgentLsp({ args = { "revert", ... } })', done.id)
    last_note(e, done.id)
    t.equal('and taken back', { 'old' }, e:lua('return vim.fn.getbufline("o.txt", 1, "$")'))
  end)

  local several = { files = { ['a.txt'] = 'one\n', ['b.txt'] = 'two\n', ['c.txt'] = 'three\n' } }
  t.with_editor('a change of several files', several, function(e)
    e:attach_ui(80, 24)
    e:open('a.txt')
    for _, name in ipairs({ 'a.txt', 'b.txt', 'c.txt' }) do
      e:read(name)
    end
    local patch = '*** Begin Patch\n'
    for name, word in pairs({ a = 'one', b = 'two', c = 'three' }) do
      patch = ('%s*** Update File: %s.txt\n@@\n-%s\n+%s!\n'):format(patch, name, word, word)
    end
    local done = e:call('apply_patch', { patch = patch .. '*** End Patch\n' })
    e:lua('vim.cmd.AgentLsp("review")')
    editor.eventually(function()
      return e:lua('return vim.wo.diff')
    end)
    t.equal('is one tab page', 2, e:lua('return vim.fn.tabpagenr("$")'))
    local first = e:lines()
    e:type(']f')
    t.check('with one file after the other', first[1] ~= e:lines()[1], e:lines())
    t.equal('in the same windows', 2, e:lua('return #vim.api.nvim_tabpage_list_wins(0)'))
    e:lua('vim.cmd.AgentLsp({ args = { "revert", ... } })', done.id)
    last_note(e, done.id)
    t.equal('which close when it is taken back', 1, e:lua('return vim.fn.tabpagenr("$")'))
    e:lua('vim.cmd.AgentLsp("activity")')
    local wide = editor.eventually(function()
      local list = vim.split(buffer(e, 'activity'), '\n')
      return #list > 3 and list
    end)
    for _, line in ipairs(wide) do
      local what = line:gsub('  %[edit.*', '')
      t.check('a row fits the screen', vim.fn.strdisplaywidth(what) <= 80, line)
    end
  end)

  local two = { files = { ['a.txt'] = 'one\n', ['b.txt'] = 'two\n', ['c.txt'] = 'three\n' } }
  t.with_editor('files of open buffers', two, function(e)
    e:open('a.txt')
    e:open('b.txt')
    e:read('a.txt')
    e:read('b.txt')
    local patch = table.concat({
      '*** Begin Patch',
      '*** Delete File: a.txt',
      '*** Update File: b.txt',
      '*** Move to: sub/b.txt',
      '@@',
      '-two',
      '+2',
      '*** End Patch',
      '',
    }, '\n')
    local done = e:call('apply_patch', { patch = patch })
    t.equal('deleted and moved', { 'deleted', 'moved' }, {
      done.files and done.files[1].action or done,
      done.files and done.files[2].action,
    })
    t.equal('the file is gone', nil, editor.read(e:path('a.txt')))
    t.equal('its buffer too', 0, e:lua('return vim.fn.bufexists(...)', e:path('a.txt')))
    t.equal('the other one moved', '2\n', editor.read(e:path('sub/b.txt')))
    t.equal('with its window', e:path('sub/b.txt'), e:lua('return vim.api.nvim_buf_get_name(0)'))
    t.equal('and is mirrored there', 'buffer', e:read('sub/b.txt').source)
    local back = e:call('revert_edit', { id = done.id })
    t.equal('all of it is taken back', { 'one\n', 'two\n' }, {
      editor.read(e:path('a.txt')) or back,
      editor.read(e:path('b.txt')),
    })

    e:open('c.txt')
    e:read('c.txt')
    local uri = vim.uri_from_fname(e:path('c.txt'))
    e:type('Atyped<Esc>')
    local answer = e:server_asks('workspace/applyEdit', {
      edit = { documentChanges = { { kind = 'delete', uri = uri } } },
    })
    t.check(
      'a changed buffer keeps its file',
      answer.applied == false and answer.failureReason:find('unsaved'),
      answer
    )
    t.equal('on disk', 'three\n', editor.read(e:path('c.txt')))
  end)

  local pair = { files = { ['x.txt'] = 'ex\n', ['y.txt'] = 'why\n' } }
  t.with_editor('names of open buffers', pair, function(e)
    e:open('x.txt')
    e:open('y.txt')
    e:read('x.txt')
    e:read('y.txt')
    local patch = table.concat({
      'diff --git a/x.txt b/y.txt',
      'similarity index 100%',
      'rename from x.txt',
      'rename to y.txt',
      'diff --git a/y.txt b/x.txt',
      'similarity index 100%',
      'rename from y.txt',
      'rename to x.txt',
      '',
    }, '\n')
    local done = e:call('apply_patch', { patch = patch })
    t.equal('are exchanged', { 'why\n', 'ex\n' }, {
      editor.read(e:path('x.txt')) or done,
      editor.read(e:path('y.txt')),
    })
    t.equal('and their buffers', { { 'why' }, { 'ex' }, 2 }, {
      e:lua('return vim.fn.getbufline(..., 1, "$")', e:path('x.txt')),
      e:lua('return vim.fn.getbufline(..., 1, "$")', e:path('y.txt')),
      e:lua('return #vim.fn.getbufinfo({ buflisted = 1 })'),
    })
    t.equal('which are mirrored', { 'buffer', 'why' }, {
      e:read('x.txt').source,
      vim.trim(e:read('x.txt').content:gsub('^.*\t', '')),
    })
    local back = e:call('revert_edit', { id = done.id })
    t.equal('and back', { 'ex\n', 'why\n' }, {
      editor.read(e:path('x.txt')) or back,
      editor.read(e:path('y.txt')),
    })
  end)
end
