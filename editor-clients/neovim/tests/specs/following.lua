-- What the person gives an assistant to look at, following it, and going back.
return function(t, editor)
  local files = { ['a.txt'] = 'one\ntwo\nthree\n', ['b.txt'] = 'b\n', ['c.txt'] = 'c\n' }

  local function note(e, part)
    return editor.eventually(function()
      return (e:lua("return notes[#notes] or ''")):find(part, 1, true)
    end, 4000)
  end

  t.with_editor('sending', { files = files }, function(e)
    e:open('a.txt')
    e:type('2GVj:AgentLsp send<CR>')
    t.check('it is said', note(e, '@a.txt#L2-L3'), e:lua('return notes'))
    t.equal('and copied', '@a.txt#L2-L3', e:lua([[return vim.fn.getreg('"')]]))
    local open = e:call('open_files', {})
    t.check('open_files tells it', vim.inspect(open):find('point'), open)
    e:lua("vim.cmd('AgentLsp send diagnostics')")
    t.check('without diagnostics it says so', note(e, 'nothing is reported'), e:lua('return notes'))
  end)

  t.with_editor('following', { files = files }, function(e)
    e:open('a.txt')
    local window = e:lua('return vim.api.nvim_get_current_win()')
    e:call('read_file', { path = 'b.txt' })
    t.equal('off by default', 1, e:lua('return #vim.api.nvim_list_wins()'))
    e:lua("vim.cmd('AgentLsp follow on')")
    e:call('read_file', { path = 'b.txt' })
    t.check(
      'what is read is shown',
      editor.eventually(function()
        return e:lua("return #vim.fn.win_findbuf(vim.fn.bufnr('b.txt')) > 0")
      end)
    )
    t.equal('the cursor stays', window, e:lua('return vim.api.nvim_get_current_win()'))
    e:lua("vim.cmd('AgentLsp follow off')")
    t.equal('its window closes', 1, e:lua('return #vim.api.nvim_list_wins()'))
  end)

  t.with_editor('checkpoints', { files = files }, function(e)
    e:open('a.txt')
    local read = e:read('c.txt')
    e:edit('a.txt', e:read('a.txt').content_hash, 'two', '2')
    e:edit('c.txt', read.content_hash, 'c', 'sea')
    e:type('ggOtyped<Esc>')
    e:lua([[
      vim.ui.select = function(items, options, choose)
        labels = vim.tbl_map(options.format_item, items)
        choose(items[#items])
      end
      vim.cmd.AgentLsp('checkpoints')]])
    local text = editor.shown(e, 'checkpoint')
    t.check('the diff is shown first', text:find('-2\n+two', 1, true), text)
    t.check('and nothing is changed yet', vim.list_contains(e:lines(), '2') or text, e:lines())
    e:type('ga')
    t.check(
      'ga goes back',
      editor.eventually(function()
        return editor.read(e:path('c.txt')) == 'c\n'
      end),
      e:lua('return notes')
    )
    t.equal(
      'and leaves what was typed',
      { 'typed', 'one', 'two', 'three' },
      e:lua('return vim.fn.getbufline(vim.fn.bufnr("a.txt"), 1, "$")')
    )
    t.check('each is told by time and agent', e:lua('return labels[1]'):find('files since'), nil)
  end)
end
