-- agent/confirmEdit: a person sees the change and decides.
return function(t, editor)
  local FILE = '.vscode/settings.json'

  --- Asks for a change that needs consent, and waits until the question is shown.
  local function asked(e, arguments)
    local id = e:ask(
      'edit_file',
      vim.tbl_extend('force', {
        path = FILE,
        expected_hash = editor.hash(e:path(FILE)),
        old_text = 'true',
        new_text = 'false',
      }, arguments or {})
    )
    editor.eventually(function()
      return e:lua("return #vim.fn.win_findbuf(vim.fn.bufnr('agent-lsp://change')) > 0")
    end)
    return id
  end

  local function shown(e)
    return e:lua([[
      local bufnr = vim.fn.bufnr('agent-lsp://change')
      local lines = bufnr > 0 and vim.api.nvim_buf_get_lines(bufnr, 0, -1, false)
      return lines and table.concat(lines, '\n') or nil]])
  end

  local function error_of(e, id)
    local answer = e:answer(id)
    return answer and answer.result.structuredContent.error or answer
  end

  local options = { files = { [FILE] = '{"a": true}\n', ['f.txt'] = 'one\n' } }

  t.with_editor('consent', options, function(e)
    e:open('f.txt')
    local window = e:lua('return vim.api.nvim_get_current_win()')
    local id = asked(e)
    local text = shown(e)
    t.check('the change is shown', text and text:find('-{"a": true}\n+{"a": false}', 1, true), text)
    local title = e:lua([[
      local window = vim.fn.win_findbuf(vim.fn.bufnr('agent-lsp://change'))[1]
      return vim.wo[window].winbar]])
    t.check('and whose it is', title:find('neovim wants to change this', 1, true), title)
    t.equal('the cursor stays where it was', window, e:lua('return vim.api.nvim_get_current_win()'))
    e:type('ga')
    t.equal('a key elsewhere decides nothing', '{"a": true}\n', editor.read(e:path(FILE)))
    e:lua('vim.cmd.AgentLsp("apply")')
    local answer = e:answer(id)
    t.equal('it is made', '{"a": false}\n', editor.read(e:path(FILE)))
    t.equal('the assistant knows', 'modified', answer.result.structuredContent.files[1].action)
    t.equal('the window is gone', vim.NIL, shown(e))

    id = asked(e, { old_text = 'false', new_text = 'true' })
    e:lua("vim.cmd('AgentLsp reject not today')")
    local problem = error_of(e, id)
    t.equal(
      'a no has its reason',
      { 'rejected_by_user', 'not today' },
      { problem.kind, problem.reason }
    )
    t.equal('nothing is changed', '{"a": false}\n', editor.read(e:path(FILE)))

    id = asked(e, { old_text = 'false', new_text = 'true' })
    e:lua("vim.cmd('bwipeout ' .. vim.fn.bufnr('agent-lsp://change'))")
    t.equal('closing the window is a no', 'rejected_by_user', error_of(e, id).kind)

    local first = asked(e, { old_text = 'false', new_text = '1' })
    local second = asked(e, { old_text = 'false', new_text = '2' })
    e:lua('vim.cmd.AgentLsp("reject")')
    t.equal('one question after the other', 'rejected_by_user', error_of(e, first).kind)
    editor.eventually(function()
      return (shown(e) or ''):find('+{"a": 2}', 1, true)
    end)
    e:lua([[
      vim.api.nvim_set_current_win(vim.fn.win_findbuf(vim.fn.bufnr('agent-lsp://change'))[1])]])
    e:type('ga')
    t.equal(
      'a key in the window decides',
      'modified',
      (e:answer(second).result or {}).structuredContent.files[1].action
    )
    e:lua('vim.cmd.AgentLsp("apply")')
    t.equal('where nobody asks it is said', 'agent_lsp: nobody asks', e:lua('return notes[#notes]'))
  end)
end
