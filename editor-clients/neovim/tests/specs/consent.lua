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
    e:lua('vim.cmd.AgentLsp("review")')
    e:lua('vim.cmd.tabfirst() vim.cmd.tabonly()')
    t.equal('closing windows decides nothing', vim.NIL, e:lua('return calls[...].answer', id))
    e:lua('vim.cmd.AgentLsp("reject")')
    t.equal('the answer is still taken', 'rejected_by_user', error_of(e, id).kind)

    local first = asked(e, { old_text = 'false', new_text = '1' })
    local second = asked(e, { old_text = 'false', new_text = '2' })
    local both = editor.eventually(function()
      local list = shown(e) or ''
      return list:find('+{"a": 1}', 1, true) and list:find('+{"a": 2}', 1, true)
    end)
    t.check('all that wait are one list', both, shown(e))
    e:lua('vim.cmd.AgentLsp("reject")')
    t.equal('the first is answered first', 'rejected_by_user', error_of(e, first).kind)
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

    local many = {}
    for i = 3, 5 do
      many[#many + 1] = asked(e, { old_text = '2', new_text = tostring(i) })
    end
    editor.eventually(function()
      return (shown(e) or ''):find('+{"a": 5}', 1, true)
    end)
    e:lua([[
      vim.api.nvim_set_current_win(vim.fn.win_findbuf(vim.fn.bufnr('agent-lsp://change'))[1])
      vim.fn.search('a": 4')]])
    e:type('ga')
    t.equal(
      'the one under the cursor is decided',
      '{"a": 4}\n',
      (e:answer(many[2]) and editor.read(e:path(FILE)))
    )
    t.equal('not the others', vim.NIL, e:lua('return calls[...].answer', many[1]))
    e:type('gA')
    t.equal('and all at once', vim.NIL, shown(e))
  end)

  t.with_editor('what the server says of a question', options, function(e)
    e:open('f.txt')
    local function asks(more)
      e:lua(
        [[
          local more = ...
          local client = vim.lsp.get_clients({ name = 'agent_lsp' })[1]
          local params = vim.tbl_extend('force', {
            client = { name = 'claude' },
            tool = 'edit_file',
            files = { { path = 'f.txt', diff = '@@ -1 +1 @@\n-one\n+two\n', text = 'two\n' } },
          }, more)
          decision = nil
          coroutine.wrap(function()
            decision = client.handlers['agent/confirmEdit'](nil, params, { client_id = client.id })
          end)()]],
        more
      )
    end
    local function decision()
      return editor.eventually(function()
        local value = e:lua('return decision')
        return value ~= vim.NIL and value
      end)
    end

    asks({ reason = 'edits.confirm is always', allow = { 'allowFile', 'allowSession' } })
    local text = shown(e)
    t.check('why it is asked', text:find('Asked because: edits.confirm is always', 1, true), text)
    t.check('what else can be said', text:find('gF:.*gS:'), text)
    e:lua("vim.cmd('AgentLsp apply session')")
    t.equal('allowed for the session', { decision = 'allowSession' }, decision())

    asks({ reason = 'protected: .git/**' })
    e:lua("vim.cmd('AgentLsp apply file')")
    t.equal('not what is not offered', vim.NIL, e:lua('return decision'))
    e:lua("vim.cmd('AgentLsp review')")
    e:type('Atoo<Esc>')
    e:type('q')
    e:lua("vim.cmd('AgentLsp review')")
    t.equal('what was edited is there again', { 'twotoo' }, e:lines())
    e:type('ga')
    t.equal('an edited proposal', {
      decision = 'edited',
      files = { { path = 'f.txt', text = 'twotoo\n' } },
    }, decision())
    t.equal('all windows are closed', 1, e:lua('return #vim.api.nvim_list_wins()'))
  end)
end
