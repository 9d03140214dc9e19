-- Assistants in processes of their own: an MCP client and the command line, which nobody in the
-- editor started, see and change what the person has not saved.
return function(t, editor)
  local files = { ['f.txt'] = 'one\ntwo\n', ['g.txt'] = 'on disk\n' }

  local function text_of(result)
    return result.content[1].text
  end

  t.with_editor('an MCP client', { files = files }, function(e)
    e:open('f.txt')
    e:type('Atyped<Esc>')
    local mcp = editor.mcp(e)
    local read = text_of(mcp:call('read_file', { path = e:path('f.txt') }))
    t.check('reads what is typed', read:find('1|onetyped', 1, true), read)
    t.check('and that it is unsaved', read:find('unsaved', 1, true), read)
    local found = text_of(mcp:call('grep_files', { pattern = 'typed' }))
    t.check('finds it', found:find('1: onetyped', 1, true), found)
    local hash = read:match('hash (%x+)')
    local edited = mcp:call('edit_file', {
      path = e:path('f.txt'),
      expected_hash = hash,
      old_text = 'two',
      new_text = 'TWO',
    })
    t.check('changes it', not edited.isError, edited)
    t.equal('in the buffer', { 'onetyped', 'TWO' }, e:lines())
    t.equal('not on disk', 'one\ntwo\n', editor.read(e:path('f.txt')))
    e:type('u')
    t.equal('u takes it back', { 'onetyped', 'two' }, e:lines())
    t.check(
      'the person sees who is attached',
      editor.eventually(function()
        return e:lua("return require('agent_lsp').statusline()"):find('a test', 1, true)
      end),
      e:lua("return require('agent_lsp').statusline()")
    )
    e:lua("vim.cmd.AgentLsp('activity')")
    local list = editor.shown(e, 'activity')
    t.check('and what they did', list:find('a test\n  edited', 1, true), list)
    mcp:stop()
    t.check(
      'and that they left',
      editor.eventually(function()
        return e:lua("return #require('agent_lsp.activity').clients()") == 0
      end)
    )
  end)

  t.with_editor('the command line', { files = files }, function(e)
    e:open('f.txt')
    e:type('Atyped<Esc>')
    local seen = e:program({ 'read-file', e:path('f.txt') })
    t.check('reads what is typed', seen.stdout:find('1|onetyped', 1, true), seen)
    seen = e:program({ 'grep-files', 'typed' })
    t.check('finds it', seen.stdout:find('onetyped', 1, true), seen)
    local hash = e:read('f.txt').content_hash
    e:program({
      'edit-file',
      e:path('f.txt'),
      '--expected-hash=' .. hash,
      '--old-text=two',
      '--new-text=TWO',
    })
    t.equal('changes it', { 'onetyped', 'TWO' }, e:lines())
    local doctor = e:program({ 'doctor', '--root', e.dir })
    t.check('doctor finds the session', doctor.stdout:find(e.dir, 1, true), doctor)
  end)

  t.with_editor('two editors on one folder', { files = files }, function(e)
    t.with_editor('the other one', { dir = e.dir }, function(other)
      e:open('f.txt')
      other:open('f.txt')
      e:type('Ahere<Esc>')
      local mcp = editor.mcp(e)
      other:type('Athere<Esc>')
      local both = mcp:call('read_file', { path = e:path('f.txt') })
      t.check(
        'both have: neither is taken',
        both.isError and text_of(both):find('^conflicting_buffers'),
        both
      )
      t.check(
        'another file is read all the same',
        text_of(mcp:call('read_file', { path = e:path('g.txt') })):find('on disk', 1, true)
      )
      t.equal('nothing is lost', { 'onehere', 'two' }, e:lines())
      t.equal('on either side', { 'onethere', 'two' }, other:lines())
      mcp:stop()
    end)
  end)
end
