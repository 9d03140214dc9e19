-- While Neovim waits at its hit-enter prompt it does nothing for a server; afterwards it does what
-- was asked for meanwhile.
return function(t, editor)
  local function at_prompt(e)
    vim.rpcrequest(e.channel, 'nvim_input', ':echo "two\\nlines"<CR>')
    return editor.eventually(function()
      return vim.rpcrequest(e.channel, 'nvim_get_mode').blocking
    end)
  end

  t.with_editor('a hit-enter prompt', { files = { ['f.txt'] = 'one\ntwo\n' } }, function(e)
    e:attach_ui(80, 24)
    e:open('f.txt')
    local seen = e:read('f.txt')
    local mcp = editor.mcp(e)
    local function edit(hash, old, new)
      local answer = mcp:call('edit_file', {
        path = e:path('f.txt'),
        expected_hash = hash,
        old_text = old,
        new_text = new,
        save = 'never',
      })
      return answer.content[1].text
    end

    e:type(':')
    local done = edit(seen.content_hash, 'two', '2')
    t.equal('an edit lands while a command is typed', { 'one', '2' }, e:lines())
    e:type('<Esc>')

    t.check('the prompt stands', at_prompt(e))
    local late = edit(done:match('sha256:%x+'), 'one', '1')
    t.check('an edit is not known to have landed', vim.startswith(late, 'outcome_unknown'), late)
    t.check('and the error says why', late:find('waiting at a prompt', 1, true), late)
    e:type('<CR>')
    t.check(
      'it lands after the prompt',
      editor.eventually(function()
        return e:lines()[1] == '1'
      end)
    )
    local id = late:match('edit%-%d+%-%x+')
    t.check('the error has its id', id, late)
    local back = mcp:call('revert_edit', { id = id or '' })
    t.check('by which it is taken back', not back.isError, back)
    t.equal('as it was', { 'one', '2' }, e:lines())

    local first = e:servers()[1]
    t.check('the prompt stands again', at_prompt(e))
    vim.uv.kill(first, 'sigkill')
    vim.wait(300)
    e:type('<CR>')
    t.check(
      'a server that was killed meanwhile is back after it',
      editor.eventually(function()
        local now = e:servers()
        return #now == 1 and now[1] ~= first
      end)
    )
    mcp:stop()
  end)
end
