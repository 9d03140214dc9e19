-- require('agent_lsp').call
return function(t)
  t.with_editor(
    'calls',
    { files = { ['f.txt'] = 'one\n', ['big.txt'] = ('line of a large file\n'):rep(100000) } },
    function(e)
      t.equal(
        'without a server the callback gets an error',
        'no agent-lsp server is attached; see :checkhealth agent_lsp',
        e:answer(e:ask('read_file', { path = 'f.txt' })).err.message
      )
      e:open('f.txt')
      local wrong = e:answer(e:ask('read_file', { path = 'nowhere.txt' }))
      t.equal('a tool that fails is a result', { vim.NIL, true, 'not_found' }, {
        wrong.err or vim.NIL,
        wrong.result.isError,
        wrong.result.structuredContent.error.kind,
      })

      local id = e:lua([[
      calls = calls or {}
      local id = #calls + 1
      calls[id] = { count = 0 }
      local function answered(err, result)
        calls[id].count = calls[id].count + 1
        calls[id].answer = { err = err, result = result }
      end
      local cancel = require('agent_lsp').call('read_file', { path = 'big.txt' }, answered)
      cancel()
      cancel()
      return id]])
      t.equal('a cancelled call says so', -32800, e:answer(id).err.code)
      e:read('f.txt')
      t.equal('once', 1, e:lua('return calls[...].count', id))

      -- Typing while calls are under way: each answer is of the moment of its call.
      e:type('A')
      local ids = {}
      for i = 1, 20 do
        e:type(tostring(i % 10))
        ids[i] = e:ask('read_file', { path = 'f.txt', format = 'plain' })
      end
      e:type('<Esc>')
      local expected, got = {}, {}
      for i = 1, 20 do
        expected[i] = 'one' .. ('1234567890'):rep(2):sub(1, i) .. '\n'
        got[i] = (e:answer(ids[i]).result or { structuredContent = {} }).structuredContent.content
      end
      t.equal('answers while typing hold exactly what was typed before the call', expected, got)

      -- An edit whose ground moves under it while it is on its way.
      local seen = e:read('f.txt')
      local edit = e:ask('edit_file', {
        path = 'f.txt',
        expected_hash = seen.content_hash,
        old_text = 'one',
        new_text = 'ONE',
        save = 'never',
      })
      e:type('Gotyped meanwhile<Esc>')
      local answer = e:answer(edit)
      local error = ((answer.result or {}).structuredContent or {}).error
      local text = e:read('f.txt').content
      t.check(
        'typing during an edit loses neither',
        text:find('typed meanwhile', 1, true)
          and (error and error.kind == 'stale_file' or text:find('ONE', 1, true)),
        { error, text }
      )
      t.equal('and the two sides agree', table.concat(e:lines(), '\n') .. '\n', text)
    end
  )
end
