-- agent/save, agent/reload, agent/resync.
return function(t, editor)
  t.with_editor('save', { files = { ['f.txt'] = 'one\n' } }, function(e)
    e:open('f.txt')
    local uri = vim.uri_from_fname(e:path('f.txt'))
    local function save()
      return e:server_asks('agent/save', { uri = uri })
    end
    e:lua([[
      written = 0
      local function count() written = written + 1 end
      vim.api.nvim_create_autocmd('BufWritePre', { callback = count })]])
    e:type('Atwo<Esc>')
    t.equal('a buffer is saved', { saved = true }, save())
    t.equal('to its file', 'onetwo\n', editor.read(e:path('f.txt')))
    t.equal('with its autocommands', 1, e:lua('return written'))
    t.equal(
      'a clean one needs no writing',
      { { saved = true }, 1 },
      { save(), e:lua('return written') }
    )
    t.equal('the server knows', false, e:read('f.txt').dirty)

    e:type('Athree<Esc>')
    editor.write(e:path('f.txt'), 'somebody else\n')
    local answer = save()
    t.check(
      'a file that changed meanwhile is not overwritten',
      answer.saved == false and answer.reason:find('changed on disk'),
      answer
    )
    t.equal('it keeps what the other wrote', 'somebody else\n', editor.read(e:path('f.txt')))
    e:lua("vim.cmd('silent write!')")
    e:lua('vim.bo.readonly = true')
    t.check('a read-only buffer is not saved', save().saved == false)
    e:lua('vim.bo.readonly = false')
    e:lua(
      "vim.api.nvim_create_autocmd('BufWritePre', { callback = function() error('not today') end })"
    )
    e:type('Afour<Esc>')
    answer = save()
    t.check(
      'an autocommand that fails is the reason',
      answer.saved == false and answer.reason:find('not today'),
      answer
    )
    answer = e:server_asks('agent/save', { uri = uri .. 'x' })
    t.check(
      'a file that is not open is not saved',
      answer.saved == false and answer.reason:find('not open'),
      answer
    )
    e:lua('vim.cmd.enew()')
    e:type('iunnamed<Esc>')
    e:mirrored()
    answer = e:server_asks(
      'agent/save',
      { uri = 'untitled:Untitled-' .. e:lua('return vim.api.nvim_get_current_buf()') }
    )
    t.check(
      'a buffer without a name is not saved',
      answer.saved == false and answer.reason:find('no file name'),
      answer
    )
  end)

  t.with_editor('reload', { files = { ['f.txt'] = 'one\ntwo\nthree\n' } }, function(e)
    e:open('f.txt')
    local uri = vim.uri_from_fname(e:path('f.txt'))
    local function reload()
      return e:server_asks('agent/reload', { uri = uri })
    end
    local function autoread()
      return e:lua("return vim.fn.execute('setlocal autoread? undoreload?')")
    end
    local own = autoread()
    e:type('x')
    e:lua("vim.cmd('silent write') vim.api.nvim_win_set_cursor(0, { 3, 2 })")
    editor.write(e:path('f.txt'), 'ONE\r\nTWO\r\nTHREE\r\n')
    t.equal('a clean buffer takes the text on disk', { reloaded = true }, reload())
    t.equal('with its line ends', 'ONE\r\nTWO\r\nTHREE\r\n', e:read('f.txt').content)
    t.equal('and hash', editor.hash(e:path('f.txt')), e:read('f.txt').content_hash)
    t.equal('the cursor stays', { 3, 2 }, e:lua('return vim.api.nvim_win_get_cursor(0)'))
    t.equal("'autoread' is as before", own, autoread())
    e:type('uu')
    t.equal('the undo history too', { 'one', 'two', 'three' }, e:lines())
    local answer = reload()
    t.check(
      'a changed buffer is left alone',
      answer.reloaded == false and answer.reason:find('unsaved'),
      answer
    )
    e:lua("vim.cmd('silent write!')")
    t.equal('a buffer that is as the file needs nothing', { reloaded = true }, reload())
    os.remove(e:path('f.txt'))
    answer = reload()
    t.check(
      'a file that is gone cannot be read',
      answer.reloaded == false and answer.reason:find('no such file'),
      answer
    )
    t.equal('the text stays', { 'one', 'two', 'three' }, e:lines())
  end)

  t.with_editor(
    'a file that changes under a clean buffer',
    { files = { ['f.txt'] = 'one\n' } },
    function(e)
      e:open('f.txt')
      e:read('f.txt') -- now the server has compared the buffer with the file
      editor.write(e:path('f.txt'), 'another text\n')
      local seen = e:read('f.txt')
      for _ = 1, 20 do
        if not seen.disk_changed then
          break
        end
        seen = e:read('f.txt') -- a busy machine's editor answers later than the server waits
      end
      t.equal('is read anew', 'another text\n', seen.content)
      t.equal('by the editor', { 'another text' }, e:lines())
      t.equal('under its new hash', editor.hash(e:path('f.txt')), seen.content_hash)
    end
  )

  t.with_editor('resync', { files = { ['f.txt'] = 'one\r\ntwo\n' } }, function(e)
    e:open('f.txt')
    e:type('Gothree<Esc>')
    local answer = e:server_asks('agent/resync', { uri = vim.uri_from_fname(e:path('f.txt')) })
    t.equal('the text as it is now', 'one\r\ntwo\nthree\n', answer.text)
    t.equal('with the version of the mirror', e:read('f.txt').version, answer.version)
    t.equal('and the rule for its lines', 'lf', answer.line_rule)
  end)
end
