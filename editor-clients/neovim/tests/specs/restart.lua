-- A server that dies is started again and has every buffer as it is; one that will not run is given
-- up, with one message.
return function(t, editor)
  local files = { ['a.txt'] = 'one\n', ['b.txt'] = 'bee\n' }

  t.with_editor('kill -9', { files = files }, function(e)
    e:open('a.txt')
    e:type('Aunsaved<Esc>')
    e:open('b.txt')
    local first = e:servers()[1]
    local waiting = e:ask('read_file', { path = 'a.txt', format = 'plain' })
    vim.uv.kill(first, 'sigkill')
    local began = vim.uv.now()
    t.check('a call under way gets an answer or an error', e:answer(waiting))
    e:type('Amore<Esc>')
    t.check(
      'another server is there',
      editor.eventually(function()
        local now = e:servers()
        return #now == 1 and now[1] ~= first
      end)
    )
    t.check(
      'and both buffers are mirrored again',
      editor.eventually(function()
        return e:lua("return vim.tbl_count(require('agent_lsp.sync').docs())") == 2
      end)
    )
    t.check('within two seconds', vim.uv.now() - began < 2000, vim.uv.now() - began)
    t.equal(
      'the person was told once',
      { 'agent_lsp: the server ended (signal 9) and is back' },
      e:lua('return notes')
    )
    t.equal('with what was not saved', 'oneunsaved\n', e:read('a.txt').content)
    t.equal('and what was typed while it was away', 'beemore\n', e:read('b.txt').content)
    local seen = e:read('b.txt')
    t.equal('which is dirty', true, seen.dirty)
    e:edit('b.txt', seen.content_hash, 'bee', 'BEE')
    t.equal('edits land again', { 'BEEmore' }, e:lines())
  end)

  t.with_editor('stopped on purpose', { files = files }, function(e)
    e:open('a.txt')
    e:lua("vim.lsp.get_clients({ name = 'agent_lsp' })[1]:stop()")
    t.check(
      'the server ends',
      editor.eventually(function()
        return #e:servers() == 0
      end)
    )
    e:lua('vim.wait(300)')
    t.equal('and stays away', 0, #e:servers())
    e:lua("require('agent_lsp').restart()")
    t.check('until it is wanted', e:mirrored())
    e:type('Atyped<Esc>')
    local first = e:servers()[1]
    e:lua("vim.cmd.AgentLsp('restart')")
    t.check(
      'one that runs is started anew',
      editor.eventually(function()
        local now = e:servers()
        return #now == 1 and now[1] ~= first
      end)
    )
    t.check('with every buffer', e:mirrored())
    local seen = e:read('a.txt')
    t.check('as it is', seen.content == 'onetyped\n', seen)
    t.equal('and each time one line says so', {
      'agent_lsp: the server is started anew',
      'agent_lsp: the server is started anew',
    }, e:lua('return notes'))
    e:lua("vim.lsp.enable('agent_lsp', false)")
    t.check(
      'disabling ends it',
      editor.eventually(function()
        return #e:servers() == 0
      end)
    )
  end)

  local broken = vim.fn.tempname()
  editor.write(broken, '#!/bin/sh\n[ $1 = lsp ] && echo run >>"$AGENT_LSP_RUNS"\nexit 3\n')
  vim.uv.fs_chmod(broken, tonumber('755', 8))
  vim.env.AGENT_LSP_RUNS = vim.fn.tempname()
  t.with_editor('a server that cannot run', { files = files, binary = broken }, function(e)
    e:lua('vim.cmd.edit(...)', e:path('a.txt'))
    local function given_up()
      return vim.tbl_filter(function(note)
        return note:find('not started again', 1, true)
      end, e:lua('return notes'))
    end
    t.check(
      'is given up',
      editor.eventually(function()
        return #given_up() > 0
      end)
    )
    t.equal('after five more tries', 6, #vim.fn.readfile(vim.env.AGENT_LSP_RUNS))
    e:lua('vim.cmd.edit(...)', e:path('b.txt'))
    e:lua('vim.wait(300)')
    t.equal('another file does not try again', 6, #vim.fn.readfile(vim.env.AGENT_LSP_RUNS))
    t.equal('and one message says why', 1, #given_up())
    t.check('which names the exit code', given_up()[1]:find('exit code 3', 1, true), given_up())
    e:lua("vim.cmd('checkhealth agent_lsp')")
    local report = table.concat(e:lines(), '\n')
    t.check('checkhealth says it too', report:find('not started any more', 1, true), report)
  end)
end
