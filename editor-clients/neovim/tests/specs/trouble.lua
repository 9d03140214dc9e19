-- What goes wrong around an editor: one clear message, and no text is lost.
return function(t, editor)
  local files = { ['f.txt'] = 'one\ntwo\n', ['g.txt'] = 'other\n' }
  local function notes(e)
    return e:lua('return notes')
  end

  --- Opens files, none of which can be served; one message must say why.
  local function one_message(name, options, part)
    options.files = files
    t.with_editor(name, options, function(e)
      for _, file in ipairs({ 'f.txt', 'g.txt', 'new.txt' }) do
        e:lua('vim.cmd.edit(...) vim.wait(100)', e:path(file))
      end
      editor.eventually(function()
        return #notes(e) > 0
      end)
      local all = notes(e)
      t.check(name .. ': one message', #all == 1 and all[1]:find(part, 1, true), all)
      e:lua("vim.cmd('checkhealth agent_lsp')")
      local report = table.concat(e:lines(), '\n')
      t.check(name .. ': checkhealth says it, too', report:find('ERROR', 1, true), report)
      e:lua('vim.cmd.edit(...)', e:path('new.txt'))
      e:type('ityped<Esc>')
      t.equal(name .. ': editing goes on', { 'typed' }, e:lines())
      t.check(
        name .. ': a call says that nobody answers',
        (e:call('read_file', { path = 'f.txt' }).error or {}).kind == 'call failed'
          or part:find('plugin', 1, true)
      )
    end)
  end

  local foreign = vim.fn.tempname()
  editor.write(foreign, '\127ELF\2\1\1\0' .. ('\0'):rep(8) .. '\2\0\243\0' .. ('\0'):rep(200))
  vim.uv.fs_chmod(foreign, tonumber('755', 8))
  one_message('another architecture', { binary = foreign }, 'cannot run here (ENOEXEC)')
  one_message('no program', {
    before = "vim.lsp.config('agent_lsp', { cmd = { 'agent-lsp-nowhere', 'lsp' } })",
  }, 'was not found')
  one_message('another version', {
    before = "require('agent_lsp.version').VERSION = '7.1.0'",
  }, 'plugin 7.1.0: versions must match')

  t.with_editor('versions', {}, function(e)
    local function problem(info)
      return e:lua("return require('agent_lsp.version').problem(...)", info)
    end
    e:lua("require('agent_lsp.version').VERSION = '1.2.3'")
    t.equal(
      'the same series is right',
      vim.NIL,
      problem({ name = 'agent-lsp', version = 'v1.2.9' })
    )
    t.equal(
      'so is a build without one',
      vim.NIL,
      problem({ name = 'agent-lsp', version = 'ab12cd' })
    )
    t.check('another minor is not', problem({ name = 'agent-lsp', version = '1.20.3' }) ~= vim.NIL)
    local other = problem({ name = 'gopls', version = '1.2.3' })
    t.check('nor another program', other:find('gopls, not agent-lsp', 1, true), other)
  end)

  t.with_editor('settings of the wrong type', {
    files = files,
    before = [[
      vim.lsp.config('agent_lsp', { init_options = { agentLspMachine = {
        read = { maxFileBytes = 'many' }, policy = { excluded = 7 } } } })]],
  }, function(e)
    e:open('f.txt')
    e:open('g.txt')
    e:lua('vim.wait(300)')
    local all = notes(e)
    t.equal('are told, each once', 2, #all)
    t.check('by name', table.concat(all):find('read.maxFileBytes', 1, true), all)
    t.equal('and ignored', 'one\ntwo\n', e:read('f.txt').content)
  end)

  t.with_editor('changed on disk', { files = files }, function(e)
    e:open('f.txt')
    editor.write(e:path('f.txt'), 'by another program\n')
    e:lua("vim.api.nvim_exec_autocmds('CursorHold', {})")
    t.equal('a clean buffer takes it', { 'by another program' }, e:lines())
    t.equal('and the server has it', 'by another program\n', e:read('f.txt').content)
    e:lua("vim.cmd('setlocal noautoread')")
    editor.write(e:path('f.txt'), 'later\n')
    e:lua("vim.api.nvim_exec_autocmds('CursorHold', {})")
    t.equal("with 'noautoread' it does not", { 'by another program' }, e:lines())
    t.equal('nor is that said', {}, notes(e))
    e:lua("vim.cmd('setlocal autoread<')")
    e:type('Atyped<Esc>')
    editor.write(e:path('f.txt'), 'by another program, again\n')
    for _ = 1, 3 do
      e:lua("vim.api.nvim_exec_autocmds('CursorHold', {})")
      e:lua("vim.api.nvim_exec_autocmds('FocusGained', {})")
    end
    t.equal('a dirty one keeps its text', { 'by another programtyped' }, e:lines())
    local all = notes(e)
    t.check('and that is told once', #all == 1 and all[1]:find('nothing is lost', 1, true), all)
    local seen = e:read('f.txt')
    t.equal('assistants read the buffer', 'by another programtyped\n', seen.content)
    local function edit(save)
      return e:call('edit_file', {
        path = 'f.txt',
        expected_hash = seen.content_hash,
        old_text = 'typed',
        new_text = 'edited',
        save = save,
      })
    end
    -- The server refuses when it has looked at the file already, else the editor does.
    local answer = edit('always')
    if answer.error then
      t.equal('saving is refused', 'buffer_dirty', answer.error.kind)
      answer = edit()
    end
    t.check('an edit is not saved', answer.files and not answer.files[1].saved, answer)
    t.equal('it is in the buffer', { 'by another programedited' }, e:lines())
    t.equal('the file stays', 'by another program, again\n', editor.read(e:path('f.txt')))
  end)

  t.with_editor('deleted under an open buffer', { files = files }, function(e)
    e:open('f.txt')
    assert(vim.uv.fs_unlink(e:path('f.txt')))
    for _ = 1, 3 do
      e:lua("vim.api.nvim_exec_autocmds('CursorHold', {})")
    end
    local all = notes(e)
    t.check('is told once', #all == 1 and all[1]:find('gone from the disk', 1, true), all)
    local seen = e:read('f.txt')
    t.equal('the text is still read', 'one\ntwo\n', seen.content)
    e:edit('f.txt', seen.content_hash, 'one', '1')
    t.equal('and edited', { '1', 'two' }, e:lines())
    t.equal('not written', nil, editor.read(e:path('f.txt')))
    e:lua("vim.cmd('silent write')")
    t.equal(':write puts it back', '1\ntwo\n', editor.read(e:path('f.txt')))
  end)

  t.with_editor('a new file, never saved', { files = files }, function(e)
    e:open('new.txt')
    e:type('inot on disk<Esc>')
    local seen = e:read('new.txt')
    t.equal('is read', 'not on disk\n', seen.content)
    e:edit('new.txt', seen.content_hash, 'not on disk', 'edited')
    t.equal('and edited', { 'edited' }, e:lines())
    t.equal('and stays unsaved', nil, editor.read(e:path('new.txt')))
  end)

  t.with_editor('a folder that is renamed', { files = files }, function(e)
    e:open('f.txt')
    e:type('Atyped<Esc>')
    local moved = e.dir .. '-moved'
    assert(vim.uv.fs_rename(e.dir, moved))
    local seen = e:read(e:path('f.txt'))
    e:lua("vim.api.nvim_exec_autocmds('CursorHold', {})")
    t.equal('leaves the text', { 'onetyped', 'two' }, e:lines())
    t.check('few messages', #notes(e) <= 1, notes(e))
    t.check('a call gets an answer', seen.content == 'onetyped\ntwo\n' or seen.error, seen)
    e:lua('vim.cmd.edit({ args = { ... }, bang = true })', moved .. '/g.txt')
    t.check('files at the new place are served', e:mirrored())
    t.equal('from there', 'other\n', e:read(moved .. '/g.txt').content)
  end)

  t.with_editor('binary and image buffers', {
    files = {
      ['a.png'] = '\137PNG\r\n\26\n\0\0\0\13IHDR\255\254\0\1',
      ['b.bin'] = '\0\1\2\255\254',
    },
  }, function(e)
    for _, name in ipairs({ 'a.png', 'b.bin' }) do
      local before = editor.read(e:path(name))
      e:lua('vim.cmd.edit(...)', e:path(name))
      e:mirrored()
      local seen = e:read(name)
      t.check(name .. ': a call gets an answer', seen.content or seen.error, seen)
      t.equal(name .. ': the bytes stay', before, editor.read(e:path(name)))
    end
    t.equal('no message', {}, notes(e))
  end)

  local many = {}
  for i = 1, 500 do
    many[('many/%03d.txt'):format(i)] = 'file ' .. i .. '\n'
  end
  t.with_editor('500 open buffers', { files = many }, function(e)
    e:lua([[
      for i = 1, 500 do
        vim.fn.bufload(vim.fn.bufadd(('many/%03d.txt'):format(i)))
      end
      vim.cmd.edit('many/250.txt')
      vim.wait(10000, function()
        local sync = package.loaded['agent_lsp.sync']
        return sync and vim.tbl_count(sync.docs()) == 500
      end, 5)]])
    e:type('Atyped<Esc>')
    t.equal('are mirrored', 500, e:lua("return vim.tbl_count(require('agent_lsp.sync').docs())"))
    t.equal('by one server', 1, #e:servers())
    local first = e:servers()[1]
    vim.uv.kill(first, 'sigkill')
    local began = vim.uv.now()
    local back = editor.eventually(function()
      local now = e:servers()
      return #now == 1
        and now[1] ~= first
        and e:lua("return vim.tbl_count(require('agent_lsp.sync').docs())") == 500
    end)
    t.check('and again after a crash', back)
    t.check('within two seconds', vim.uv.now() - began < 2000, vim.uv.now() - began)
    t.equal('with what was typed', 'file 250typed\n', e:read('many/250.txt').content)
    t.check('the person is told at most once', #notes(e) <= 1, notes(e))
  end)

  local line = ('0123456789'):rep(6) .. '\n'
  t.with_editor('a file of 60 MB', { files = { ['big.txt'] = line:rep(1000000) } }, function(e)
    local began = vim.uv.now()
    e:open('big.txt')
    local took = vim.uv.now() - began
    t.check('opens', took < 8000, took)
    e:type('Atyped<Esc>')
    local seen = e:call('read_file', { path = 'big.txt', start_line = 1, end_line = 2 })
    t.check('is read, or refused with a reason', seen.content or (seen.error or {}).message, seen)
    t.check('as it is', seen.error or seen.content:find('6789typed', 1, true), seen)
    t.equal('no message', {}, notes(e))
  end)
end
