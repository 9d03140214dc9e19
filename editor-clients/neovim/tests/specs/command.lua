-- :AgentLsp, the list of what assistants do, the statusline and the event for scripts.
return function(t, editor)
  local files = { ['f.txt'] = 'one\ntwo\n', ['.env'] = 'KEY=1\n' }
  local buffer = editor.shown

  t.with_editor(':AgentLsp', { files = files }, function(e)
    local function complete(line)
      return e:lua('return vim.fn.getcompletion(..., "cmdline")', line)
    end
    t.equal('subcommands are completed', { 'activity', 'apply' }, complete('AgentLsp a'))
    t.equal('all of them', 20, #complete('AgentLsp '))
    t.equal(
      'assistants are completed',
      { 'claude', 'codex', 'copilot', 'crush', 'cursor' },
      complete('AgentLsp setup c')
    )
    t.equal('nothing is loaded by that', vim.NIL, e:lua("return package.loaded['agent_lsp.sync']"))
    t.equal('statusline without a server', '', e:lua("return require('agent_lsp').statusline()"))
    e:open('f.txt')
    t.equal('and with one', 'agent-lsp', e:lua("return require('agent_lsp').statusline()"))

    e:lua([[
      edits = {}
      vim.api.nvim_create_autocmd('User', { pattern = 'AgentLspEdit', callback = function(event)
        edits[#edits + 1] = event.data
      end })]])
    local hash = e:read('f.txt').content_hash
    e:call('grep_files', { pattern = 'two' })
    local done = e:edit('f.txt', hash, 'one', '1')
    e:edit('f.txt', hash, 'two', '2')
    e:read('.env')
    editor.eventually(function()
      return #e:lua('return edits') > 0
    end)
    local event = e:lua('return edits[1]')
    t.equal('one change is announced', 1, #e:lua('return edits'))
    t.equal(
      'with who did what',
      { 'neovim', 'edit_file', done.id, e:path('f.txt') },
      { event.client, event.tool, event.id, event.path }
    )
    t.check('and its diff', event.diff:find('-one\n+1', 1, true), event)

    e:lua("vim.cmd.AgentLsp('activity')")
    local list = buffer(e, 'activity')
    for name, part in pairs({
      ['what was read'] = '  read       f.txt: lines 1-2 of 2',
      ['what was searched'] = '  searched   "two": 1 hit in 1 file',
      ['what was changed'] = '  edited     f.txt: modified',
      ['what was stale'] = '  refused    f.txt: the text changed',
      ['what is private'] = '  refused    .env: the rule',
    }) do
      t.check('the list has ' .. name, list:find(part, 1, true), list)
    end
    e:lua("vim.cmd.wincmd('p') vim.cmd.AgentLsp('activity')")
    t.equal('asked for again, it is the same window', 2, e:lua('return #vim.api.nvim_list_wins()'))
    local before = #vim.split(list, '\n')
    e:call('list_directory', {})
    t.check(
      'it follows',
      editor.eventually(function()
        return #vim.split(buffer(e, 'activity'), '\n') == before + 1
      end)
    )
    e:lua("vim.fn.search('edited')")
    e:type('<CR>')
    t.check(
      'Enter shows the change side by side',
      editor.eventually(function()
        return e:lua('return #vim.api.nvim_list_tabpages()') == 2
      end)
    )
    e:type('q')
    t.equal('q closes that', 1, e:lua('return #vim.api.nvim_list_tabpages()'))
    e:type('q')
    t.equal('and the list', '', e:lua('return vim.fn.bufname("agent-lsp://activity")'))

    e:lua("vim.cmd.AgentLsp({ args = { 'activity', 'quickfix' } })")
    local entries = e:lua([[
      return vim.tbl_map(function(item)
        return { vim.fs.basename(vim.fn.bufname(item.bufnr)), item.type }
      end, vim.fn.getqflist())]])
    t.equal(
      'the quickfix list has those about a file',
      { { '.env', 'E' }, { 'f.txt', 'E' }, { 'f.txt', '' }, { 'f.txt', '' } },
      entries
    )
    e:lua('vim.cmd.cclose()')
    t.equal('ids are completed', { done.id }, complete('AgentLsp revert '))

    e:lua("vim.cmd.AgentLsp('nonsense')")
    local notes = e:lua('return notes')
    t.check('a wrong word is told', notes[#notes]:find('no subcommand nonsense', 1, true), notes)
    e:lua("vim.cmd.AgentLsp('status')")
    t.check('status tells the root', buffer(e, 'status'):find(e.dir, 1, true), buffer(e, 'status'))
    e:type('q')
    e:lua("vim.cmd.AgentLsp('doctor')")
    t.check('doctor is shown', buffer(e, 'doctor'):find(e.dir, 1, true), buffer(e, 'doctor'))
    e:type('q')
    e:lua("vim.cmd.AgentLsp({ args = { 'setup', 'claude' } })")
    t.check('setup is shown', buffer(e, 'setup'):find('agent-lsp', 1, true), buffer(e, 'setup'))
    e:type('q')
    e:lua("vim.cmd.AgentLsp('log')")
    t.equal(
      'the log opens',
      e.dir .. '/.git/state/nvim/agent_lsp.log',
      e:lua('return vim.fn.expand("%:p")')
    )
    t.check('it is the server that wrote it', table.concat(e:lines()):find('level=INFO', 1, true))
    local inner = editor.read(e.dir .. '/.git/state/nvim/lsp.log') or ''
    t.check("Neovim's own stays clean", not inner:find('stderr', 1, true), inner)
  end)

  t.with_editor('fresh edits', { files = files }, function(e)
    e:open('f.txt')
    e:lua('vim.g.agent_lsp_fresh_ms = 400')
    local function marks()
      return e:lua([[
        local space = vim.api.nvim_get_namespaces()['agent_lsp.fresh']
        local found = {}
        for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, space, 0, -1, { details = true })) do
          found[#found + 1] = { mark[2], mark[3], mark[4].end_row, mark[4].hl_group }
        end
        return found]])
    end
    e:edit('f.txt', e:read('f.txt').content_hash, 'two\n', 'two\nthree\n')
    local first = marks()
    t.equal('a change is lit', 1, #first)
    t.check(
      'it fades',
      editor.eventually(function()
        local now = marks()[1]
        return now and now[4] ~= 'AgentLspFresh1'
      end)
    )
    t.check(
      'and ends',
      editor.eventually(function()
        return #marks() == 0
      end)
    )
    e:lua('vim.g.agent_lsp_fresh_ms = 0')
    e:edit('f.txt', e:read('f.txt').content_hash, 'one', '1')
    t.equal('or is not wanted', 0, #marks())
    e:lua('vim.g.agent_lsp_fresh_ms = 5000')
    e:edit('f.txt', e:read('f.txt').content_hash, '1', 'one more')
    e:lua('vim.cmd.bwipeout({ bang = true }) vim.wait(20)')
    t.equal('closing the buffer meanwhile is no error', {}, e:lua('return notes'))
  end)
end
