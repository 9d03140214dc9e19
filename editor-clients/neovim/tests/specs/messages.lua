-- No message of the plugin's is wider than the screen: Neovim's hit-enter prompt would keep the
-- server waiting.
return function(t, editor)
  local LONG = ('a folder with a long name/'):rep(3) .. 'file.txt'
  local files = { ['f.txt'] = 'one\n', [LONG] = 'one\n', ['.vscode/settings.json'] = '{}\n' }
  local SETTLED = 150 -- ms

  for _, size in ipairs({ { 80, 24 }, { 40, 12 } }) do
    local name = ('%dx%d'):format(size[1], size[2])

    --- Does something, and checks that no prompt comes of it and that each line fits.
    local function quiet(e, what, code, ...)
      e:lua('shown = {}')
      e:lua(code, ...)
      vim.wait(SETTLED)
      local mode = vim.rpcrequest(e.channel, 'nvim_get_mode')
      if mode.blocking then
        vim.rpcrequest(e.channel, 'nvim_input', '<CR>')
      end
      local shown = e:lua('return shown')
      t.equal(
        ('%s: no prompt: %s'):format(name, what),
        { false },
        { mode.blocking, mode.blocking and shown or nil }
      )
      return shown
    end

    local function told(e, part)
      return editor.eventually(function()
        return e:lua('return vim.fn.execute("messages")'):find(part, 1, true)
      end)
    end

    t.with_editor('messages at ' .. name, { files = files }, function(e)
      e:attach_ui(size[1], size[2])
      e:lua([[
        vim.o.showcmd, vim.o.ruler = true, true
        shown = {}
        vim.notify = function(message, ...)
          shown[#shown + 1] = message
          return real_notify(message, ...)
        end]])
      e:lua('vim.cmd("silent edit " .. vim.fn.fnameescape(...))', LONG)
      t.check(name .. ': mirrored', e:mirrored())
      quiet(e, 'status', "vim.cmd('AgentLsp status') vim.cmd('bwipeout')")
      quiet(e, 'a wrong word', "vim.cmd('AgentLsp nonsense')")
      quiet(e, 'setup for nobody', "vim.cmd('AgentLsp setup')")
      quiet(e, 'setup for foo', "vim.cmd('AgentLsp setup foo')")
      editor.eventually(function()
        return #e:lua('return shown') > 0
      end)
      local shown = e:lua('return shown')
      t.check(name .. ': and that is an error', (shown[1] or ''):find('got "foo"', 1, true), shown)
      quiet(e, 'nobody asks', "vim.cmd('AgentLsp apply')")
      quiet(e, 'no such change', "vim.cmd('AgentLsp revert edit-99-abcd')")
      quiet(e, 'no change to review', "vim.cmd('AgentLsp review')")
      quiet(
        e,
        'a message of the server',
        "require('agent_lsp.notice').show_message({ type = 2, message = ... })",
        'two\nlines ' .. ('and more '):rep(50) .. 'to the end'
      )
      shown = quiet(e, 'wide letters', "require('agent_lsp.notice').say(...)", ('文字'):rep(100))
      t.check(
        name .. ': they fill the line',
        vim.fn.strdisplaywidth(shown[1]) > size[1] - 20,
        shown
      )
      quiet(
        e,
        'several at once',
        [[for i = 1, 4 do
        require('agent_lsp.notice').say('number ' .. i .. (' and more'):rep(20))
      end]]
      )
      local log = editor.read(e.dir .. '/.git/state/nvim/agent_lsp.log') or ''
      t.check(name .. ': the log has all of it', log:find('and more to the end', 1, true), log)

      e:type('Atyped<Esc>')
      editor.write(e:path(LONG), 'by another program\n')
      shown = quiet(e, 'changed on disk', "vim.api.nvim_exec_autocmds('CursorHold', {})")
      t.equal(name .. ': which is told', 1, #shown)
      vim.uv.fs_unlink(e:path(LONG))
      shown = quiet(e, 'gone from the disk', "vim.api.nvim_exec_autocmds('CursorHold', {})")
      t.equal(name .. ': which is told, too', 1, #shown)

      local id = e:ask('write_file', {
        path = '.vscode/settings.json',
        content = '{"a": 1}\n',
        expected_hash = editor.hash(e:path('.vscode/settings.json')),
      })
      editor.eventually(function()
        return e:lua("return require('agent_lsp.consent').waiting() ~= nil")
      end)
      quiet(e, 'consent', 'return 1')
      local title = e:lua([[
        local window = vim.fn.win_findbuf(vim.fn.bufnr('agent-lsp://change'))[1]
        return window and vim.wo[window].winbar or '']])
      t.check(name .. ': its window says who asks', title:find('neovim wants', 1, true), title)
      e:lua("vim.cmd('AgentLsp reject')")
      e:answer(id)

      vim.uv.kill(e:servers()[1], 'sigkill')
      t.check(name .. ': back after a crash', told(e, 'is back'))
      quiet(e, 'a crash', 'return 1')
      e:lua("vim.cmd('AgentLsp restart')")
      t.check(name .. ': started anew', told(e, 'ed anew'))
      quiet(e, 'a restart', 'return 1')
    end)
  end
end
