-- agent/diagnostics, agent/editorState, and the tools that ask for them.
return function(t)
  local files =
    { ['a.lua'] = 'local x = 1\nreturn "é𝄞", y\n', ['b.lua'] = 'b\n', ['c.lua'] = 'c\n' }

  t.with_editor('diagnostics', { files = files }, function(e)
    e:open('a.lua')
    e:lua(
      [[
        local ns, E = vim.api.nvim_create_namespace('t'), vim.diagnostic.severity
        local other = vim.fn.bufadd(...)
        vim.diagnostic.set(ns, 0, {
          { lnum = 1, col = 16, end_col = 17, severity = E.WARN, message = 'no y', source = 'lint',
            code = 7 },
          { lnum = 0, col = 6, end_lnum = 1, end_col = 0, severity = E.ERROR,
            message = 'unused' },
        })
        local hint = { lnum = 0, col = 0, severity = E.HINT, message = 'b' }
        vim.diagnostic.set(ns, other, { hint })]],
      e:path('b.lua')
    )
    local all = e:call('diagnostics', {})
    t.equal('counts of all files', { 1, 1, 1 }, { all.errors, all.warnings, all.hints })
    t.equal('the worst first', { 'a.lua', 'b.lua' }, { all.files[1].path, all.files[2].path })
    local one = e:call('diagnostics', { path = 'a.lua' })
    t.equal('places of a file', { 1, 7, 2, 1 }, {
      one.items[1].start_line,
      one.items[1].start_column,
      one.items[1].end_line,
      one.items[1].end_column,
    })
    local second = one.items[2]
    t.equal(
      'columns in bytes',
      { 2, 17, 18 },
      { second.start_line, second.start_column, second.end_column }
    )
    t.equal('with what is said', { 'warning', 'no y', 'lint', '7' }, {
      second.severity,
      second.message,
      second.source,
      second.code,
    })
    local unloaded = e:call('diagnostics', { path = 'b.lua' })
    t.equal('of a buffer that is not loaded', 'b', unloaded.items[1].text)
    t.equal('none', 0, e:call('diagnostics', { path = 'c.lua' }).errors)
  end)

  t.with_editor('editor state', { files = files }, function(e)
    e:open('b.lua')
    e:open('a.lua')
    e:lua('vim.cmd.split(...)', e:path('c.lua'))
    e:mirrored()
    e:lua("vim.cmd.wincmd('p') vim.api.nvim_win_set_cursor(0, { 2, 8 })")
    local function open()
      return e:call('open_files', {}).files
    end
    local list = open()
    t.equal('all are open', 3, #list)
    t.equal('the active one', { 'a.lua', true }, { list[1].path, list[1].active })
    t.equal('the visible one', { 'c.lua', true }, { list[2].path, list[2].visible })
    t.equal('the other one', { 'b.lua', vim.NIL }, { list[3].path, list[3].visible or vim.NIL })
    t.equal(
      'the cursor',
      { 2, 9 },
      { list[1].selections[1].start_line, list[1].selections[1].start_column }
    )
    e:type('vl')
    local selection = open()[1].selections[1]
    t.equal('a selection', { 2, 9, 2, 15 }, {
      selection.start_line,
      selection.start_column,
      selection.end_line,
      selection.end_column,
    })
    e:type('<Esc>ggVj')
    selection = open()[1].selections[1]
    t.equal(
      'whole lines',
      { 1, 1, 2 },
      { selection.start_line, selection.start_column, selection.end_line }
    )
    e:type('<Esc>gg0l<C-v>jl')
    t.equal('a block', 2, #open()[1].selections)
    e:type('<Esc>Atyped')
    t.equal('unsaved text', true, open()[1].dirty)
  end)
end
