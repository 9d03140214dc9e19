-- What assistants changed, by hunk: seen in the text, kept and undone.
return function(t, editor)
  local lines = {}
  for i = 1, 30 do
    lines[i] = 'line ' .. i
  end
  local files = { ['a.txt'] = table.concat(lines, '\n') .. '\n', ['b.txt'] = 'b\n' }

  --- Signs and virtual lines of the current buffer: `row sign` and `row -text`, rows from 1.
  local function marks(e)
    return e:lua([[
      local found = {}
      for _, name in ipairs({ 'agent_lsp.signs', 'agent_lsp.hunks' }) do
        local space = vim.api.nvim_get_namespaces()[name]
        local all = space and vim.api.nvim_buf_get_extmarks(0, space, 0, -1, { details = true })
        for _, mark in ipairs(all or {}) do
          if mark[4].sign_text then
            found[#found + 1] = ('%d %s'):format(mark[2] + 1, vim.trim(mark[4].sign_text))
          end
          for _, line in ipairs(mark[4].virt_lines or {}) do
            found[#found + 1] = ('%d -%s'):format(mark[2] + 1, line[1][1])
          end
        end
      end
      return found]])
  end

  local function has(e, wanted)
    local got
    local same = editor.eventually(function()
      got = marks(e)
      return vim.deep_equal(got, wanted)
    end, 4000)
    return same, got
  end

  t.with_editor('changes', { files = files }, function(e)
    e:open('a.txt')
    local function edit(name, edits)
      local hash = e:read(name).content_hash
      return e:call('edit_file', {
        path = name,
        expected_hash = hash,
        edits = edits,
        save = 'never',
      })
    end
    edit('a.txt', {
      { old_text = 'line 3\n', new_text = 'third\n' },
      { old_text = 'line 10\nline 11\n', new_text = '' },
      { old_text = 'line 20\n', new_text = 'line 20\nmore\nand more\n' },
    })
    t.check(
      'are seen in the text',
      has(e, {
        '3 ┃',
        '10 ▔',
        '19 ┃',
        '20 ┃',
        '3 -line 3',
        '10 -line 10',
        '10 -line 11',
      })
    )
    e:type('gg]a')
    local function row()
      return e:lua('return vim.fn.line(".")')
    end
    t.equal(']a goes to the first', 3, row())
    e:type(']a')
    t.equal('and to the next', 10, row())
    e:type('[a')
    t.equal('[a goes back', 3, row())

    e:type('ggOtyped<Esc>')
    e:type('3jgau')
    t.check(
      'gau puts back what stood there',
      editor.eventually(function()
        return vim.deep_equal(vim.list_slice(e:lines(), 1, 4), {
          'typed',
          'line 1',
          'line 2',
          'line 3',
        })
      end),
      e:lines()
    )
    t.check(
      'the others stay',
      has(e, { '11 ▔', '20 ┃', '21 ┃', '11 -line 10', '11 -line 11' })
    )
    e:type('u')
    t.equal('as one undo step', 'third', e:lines()[4])
    e:type('<C-r>')
    e:type('11Ggak')
    t.check('gak keeps', has(e, { '20 ┃', '21 ┃' }))
    e:type('20GVgau')
    t.check(
      'in Visual mode just the lines',
      editor.eventually(function()
        return e:lines()[20] == 'and more' and e:lines()[19] == 'line 20'
      end),
      e:lines()
    )
    t.check('which leaves the other one', has(e, { '20 ┃' }))

    edit('b.txt', { { old_text = 'b', new_text = 'bee' } })
    e:call('write_file', { path = 'new.txt', content = 'new\n' })
    e:lua('vim.cmd.AgentLsp("changes")')
    local list = editor.eventually(function()
      local items = e:lua('return vim.fn.getqflist()')
      return #items == 3 and items
    end)
    t.check('all are in the quickfix list', list, e:lua('return vim.fn.getqflist()'))
    e:lua('vim.cmd.cclose()')
    e:lua("vim.cmd('AgentLsp undo all')")
    t.check(
      'undo all',
      editor.eventually(function()
        return editor.read(e:path('b.txt')) == 'b\n' and not editor.read(e:path('new.txt'))
      end),
      e:lua('return notes')
    )
    t.check('nothing is marked any more', has(e, {}))
    t.equal('what was typed is there', 'typed', e:lines()[1])
    t.equal('the keys are gone', '', e:lua("return vim.fn.maparg('gak', 'n')"))
  end)

  local many = {}
  for i = 1, 20000 do
    many[i] = 'line ' .. i
  end
  t.with_editor(
    'many changes',
    { files = { ['m.txt'] = table.concat(many, '\n') .. '\n' } },
    function(e)
      e:open('m.txt')
      local shown = e:lua([[
      local hunks = {}
      for i = 0, 9999 do
        local at = { line = 2 * i, character = 0 }
        hunks[i + 1] = {
          id = tostring(i),
          range = { start = at, ['end'] = { line = 2 * i + 1, character = 0 } },
          removed = 'gone\n',
        }
      end
      require('agent_lsp.hunk_marks').set(0, hunks)
      local space = vim.api.nvim_get_namespaces()['agent_lsp.hunks']
      local before = #vim.api.nvim_buf_get_extmarks(0, space, 0, -1, {})
      require('agent_lsp.hunk_marks').set(0, {})
      return { before, #vim.api.nvim_buf_get_extmarks(0, space, 0, -1, {}) }]])
      t.equal('10,000 are marked, and gone again', { 10000, 0 }, shown)
    end
  )
end
