-- What attaches, with nothing but vim.lsp.enable('agent_lsp') in the user's configuration.
return function(t, editor)
  local files = {
    ['a.txt'] = 'one\ntwo\n',
    ['b.txt'] = 'bee\n',
    ['strange.zzz'] = 'no file type\n',
    ['LICENSE'] = 'free\n',
  }

  t.with_editor('attach', { files = files }, function(e)
    t.equal(
      'nothing of the plugin is loaded before a file is',
      vim.NIL,
      e:lua("return package.loaded['agent_lsp.sync']")
    )
    t.check('a file attaches', e:open('a.txt'))
    t.equal(
      'positions are utf-8',
      'utf-8',
      e:lua("return vim.lsp.get_clients({ name = 'agent_lsp' })[1].offset_encoding")
    )
    t.equal(
      'the root is the project',
      e.dir,
      e:lua("return vim.lsp.get_clients({ name = 'agent_lsp' })[1].root_dir")
    )
    t.check('a file without file type attaches', e:open('strange.zzz'))
    t.equal('the file really had none', '', e:lua('return vim.bo.filetype'))
    t.check('another buffer attaches', e:open('b.txt'))
    t.equal('to the same server', 1, #e:servers())
    t.equal(
      'both are read from the editor',
      { 'buffer', 'buffer' },
      { e:read('a.txt').source, e:read('b.txt').source }
    )
    t.equal('a file that is not open comes from the disk', 'disk', e:read('LICENSE').source)
  end)

  t.with_editor('untitled', { files = files }, function(e)
    e:open('a.txt')
    e:lua('vim.cmd.enew()')
    e:type('inever saved<Esc>')
    t.check('a buffer without a name attaches when something is typed', e:mirrored())
    local uri = 'untitled:Untitled-' .. e:lua('return vim.api.nvim_get_current_buf()')
    t.equal('it is readable by its own address', 'never saved\n', e:read(uri).content)
    e:lua("vim.cmd('silent write ' .. ...)", e:path('named.txt'))
    t.equal('written under a name, it is that file', 'never saved\n', e:read('named.txt').content)
    t.equal('and clean', false, e:read('named.txt').dirty)
    t.equal('its old address is gone', 'not_found', (e:read(uri).error or {}).kind)
    e:lua("vim.cmd('silent file ' .. ...)", e:path('renamed.txt'))
    t.equal('renamed, it is the new file', 'buffer', e:read('renamed.txt').source)
  end)

  t.with_editor('called in the same step', { files = files }, function(e)
    -- Makes a buffer and calls before Neovim or the plugin had a turn of its main loop.
    local function read_after(command, path)
      local id = e:lua(
        [[
          local command, path = ...
          calls = calls or {}
          local id = #calls + 1
          calls[id] = {}
          vim.cmd(command)
          path = path or 'untitled:Untitled-' .. vim.api.nvim_get_current_buf()
          local arguments = { path = path, format = 'plain' }
          require('agent_lsp').call('read_file', arguments, function(err, result)
            calls[id].answer = { err = err, result = result }
          end)
          return id]],
        command,
        path
      )
      local answer = e:answer(id) or {}
      return (answer.result or {}).structuredContent or answer
    end
    e:open('a.txt')
    t.equal(
      'a new buffer without a name is read',
      'made\n',
      read_after("enew | call setline(1, 'made')").content
    )
    local seen = read_after('edit b.txt', 'b.txt')
    t.equal('a file just opened comes from the editor', 'buffer', seen.source)
    seen = read_after("bdelete! b.txt | edit b.txt | call setline(1, 'changed')", 'b.txt')
    t.equal('also when it was open before', 'changed\n', seen.content)
    seen = read_after('badd strange.zzz | call bufload("strange.zzz")', 'strange.zzz')
    t.equal('a buffer loaded in the background too', 'buffer', seen.source)
    t.equal('none of them is opened twice', 5, #e:sent('textDocument/didOpen'))

    e:lua('vim.cmd.enew()')
    e:lua([[
      vim.keymap.set('i', '<F2>', function()
        calls[100] = {}
        local path = 'untitled:Untitled-' .. vim.api.nvim_get_current_buf()
        local arguments = { path = path, format = 'plain' }
        require('agent_lsp').call('read_file', arguments, function(err, result)
          calls[100].answer = { err = err, result = result }
        end)
      end)]])
    e:type('ityped<F2><Esc>')
    t.equal(
      'so is what was typed in the same batch of keys',
      'typed\n',
      e:answer(100).result.structuredContent.content
    )

    e:open('a.txt')
    e:lua("vim.lsp.buf_detach_client(0, vim.lsp.get_clients({ name = 'agent_lsp' })[1].id)")
    t.equal('a buffer that somebody detached stays so', 'disk', e:read('a.txt').source)
    t.equal('all by one server', 1, #e:servers())
    e:lua("vim.lsp.get_clients({ name = 'agent_lsp' })[1]:stop() vim.wait(200)")
    local err = read_after("enew | call setline(1, 'late')").err or {}
    t.check(
      'a call starts no server that was stopped',
      (err.message or ''):find('no agent%-lsp'),
      err
    )
  end)

  t.with_editor('a user with an on_init and a root_dir', {
    files = files,
    before = [[
      local mine = { on_init = function() end, root_dir = vim.fn.getcwd() }
      vim.lsp.config('agent_lsp', mine)]],
  }, function(e)
    e:open('a.txt')
    e:type('Amore<Esc>')
    t.equal('the text is right all the same', 'onemore\ntwo\n', e:read('a.txt').content)
    e:type('ix')
    local changes = #e:sent('textDocument/didChange')
    e:type('y<Esc>')
    t.equal('and sent once', changes + 1, #e:sent('textDocument/didChange'))
    e:lua('vim.cmd.help() vim.wait(50)')
    t.equal('a help page is not mirrored', 0, e:lua('return #vim.lsp.get_clients({ bufnr = 0 })'))
    e:lua('vim.cmd.new() vim.bo.filetype = "lua" vim.wait(50)')
    e:type('inew<Esc>')
    t.check('a buffer without a name is, once it is changed', e:mirrored())
  end)

  t.with_editor('special buffers', { files = files }, function(e)
    e:open('a.txt')
    for _, command in ipairs({ 'help', 'copen', 'terminal', 'new | setlocal buftype=nofile' }) do
      e:lua('vim.cmd(...)', command)
      local attached = e:lua('vim.wait(20) return #vim.lsp.get_clients({ bufnr = 0 })')
      t.equal(':' .. command .. ' is not mirrored', 0, attached)
      e:lua("vim.cmd('silent! bdelete!')")
    end
  end)

  t.with_editor(
    'nested roots',
    { files = { ['a.txt'] = 'outer\n', ['sub/.git/HEAD'] = '', ['sub/b.txt'] = 'inner\n' } },
    function(e)
      e:open('sub/b.txt')
      t.equal(
        'the nearest root gets a server',
        e.dir .. '/sub',
        e:lua('return vim.lsp.get_clients({ bufnr = 0 })[1].root_dir')
      )
      e:open('a.txt')
      t.check(
        'the outer server takes the open file of the inner root too',
        editor.eventually(function()
          return e:lua(
            'return #vim.lsp.get_clients({ bufnr = vim.fn.bufnr(...) })',
            e:path('sub/b.txt')
          ) == 2
        end)
      )
      e:lua('vim.cmd.buffer(...)', e:path('sub/b.txt'))
      e:type('Anew <Esc>')
      e:lua('vim.cmd.buffer(...)', e:path('a.txt'))
      t.equal('and sees what is typed there', 'innernew \n', e:read('sub/b.txt').content)
    end
  )
end
