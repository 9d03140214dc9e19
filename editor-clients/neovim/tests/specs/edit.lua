-- The main job: an assistant reads what is typed but not saved, and its guarded edit lands as one
-- undo step.
return function(t, editor)
  local TEXT = 'package main\n\nfunc main() {\n\tprintln("hello")\n}\n'

  t.with_editor('the main job', { files = { ['main.go'] = TEXT } }, function(e)
    e:open('main.go')
    t.equal(
      'an open, unchanged buffer has the hash of its file',
      editor.hash(e:path('main.go')),
      e:read('main.go').content_hash
    )

    e:type('Go// typed, not saved<Esc>')
    local seen = e:read('main.go')
    t.equal(
      'the unsaved line is in what an assistant reads',
      TEXT .. '// typed, not saved\n',
      seen.content
    )
    t.equal('it comes from the buffer, dirty', { 'buffer', true }, { seen.source, seen.dirty })
    t.equal('the file is untouched', TEXT, editor.read(e:path('main.go')))

    local edited = TEXT:gsub('hello', 'good day') .. '// typed, not saved\n'
    local landed = e:edit('main.go', seen.content_hash, 'hello', 'good day')
    t.equal('the guarded edit is in the buffer', vim.split(edited:sub(1, -2), '\n'), e:lines())
    t.equal(
      'the answer says so',
      { 'modified', 'buffer' },
      { (landed.files or { landed })[1].action, (landed.files or { landed })[1].source }
    )
    t.equal(
      'with the hash that the next read has',
      e:read('main.go').content_hash,
      (landed.files or { {} })[1].content_hash
    )
    t.equal('the file is still untouched', TEXT, editor.read(e:path('main.go')))

    local stale = e:edit('main.go', seen.content_hash, 'good day', 'never')
    t.equal('an edit under the old hash is refused', 'stale_file', (stale.error or {}).kind)

    e:type('u')
    t.equal('u takes back the edit and leaves the typing', seen.content, e:read('main.go').content)
    t.equal('which has its old hash again', seen.content_hash, e:read('main.go').content_hash)
    e:type('u')
    t.equal('another u takes back the typing', TEXT, e:read('main.go').content)
    e:type('<C-r><C-r>')
    t.equal('redo brings both back', edited, e:read('main.go').content)

    local before = e:read('main.go').content_hash
    e:lua("vim.cmd('silent write')")
    t.equal('saved, the file is the buffer', edited, editor.read(e:path('main.go')))
    t.equal(
      'saving makes no hash stale',
      { before, false },
      { e:read('main.go').content_hash, e:read('main.go').dirty }
    )
  end)

  t.with_editor('several places', { files = { ['f.txt'] = 'a 1\nb 1\nc 1\n' } }, function(e)
    e:open('f.txt')
    local seen = e:read('f.txt')
    e:call('edit_file', {
      path = 'f.txt',
      expected_hash = seen.content_hash,
      save = 'never',
      edits = { { old_text = 'a 1', new_text = 'A' }, { old_text = 'c 1\n', new_text = 'C\nD\n' } },
    })
    t.equal('edits in several places land', { 'A', 'b 1', 'C', 'D' }, e:lines())
    e:type('u')
    t.equal('as one undo step', { 'a 1', 'b 1', 'c 1' }, e:lines())
  end)

  t.with_editor('in the middle of typing', { files = { ['f.txt'] = 'top\nbottom\n' } }, function(e)
    e:open('f.txt')
    e:type('Goone')
    local seen = e:read('f.txt')
    t.equal('what is typed in insert mode is read at once', 'top\nbottom\none\n', seen.content)
    e:edit('f.txt', seen.content_hash, 'top', 'TOP\nand more')
    t.equal(
      'an edit above lands during insert mode',
      { 'TOP', 'and more', 'bottom', 'one' },
      e:lines()
    )
    t.equal(
      'the editor is still in insert mode',
      'i',
      vim.rpcrequest(e.channel, 'nvim_get_mode').mode
    )
    e:type(' two<CR>three<Esc>')
    t.equal(
      'and typing goes on where it was',
      { 'TOP', 'and more', 'bottom', 'one two', 'three' },
      e:lines()
    )
    e:type('u')
    t.equal(
      'u takes back what was typed after the edit',
      { 'TOP', 'and more', 'bottom', 'one' },
      e:lines()
    )
    e:type('u')
    t.equal('then the edit', { 'top', 'bottom', 'one' }, e:lines())
    e:type('u')
    t.equal('then what was typed before', { 'top', 'bottom' }, e:lines())
    t.equal('with the server always at it', 'top\nbottom\n', e:read('f.txt').content)
  end)

  t.with_editor(
    'cursor, marks, hidden buffers',
    { files = { ['f.txt'] = 'one\ntwo\nthree\n', ['g.txt'] = 'g\n' } },
    function(e)
      e:open('f.txt')
      e:lua([[
      vim.api.nvim_win_set_cursor(0, { 3, 4 })
      vim.api.nvim_buf_set_mark(0, 'm', 2, 1, {})
      ns = vim.api.nvim_create_namespace('test')
      mark = vim.api.nvim_buf_set_extmark(0, ns, 2, 2, {})]])
      e:edit('f.txt', e:read('f.txt').content_hash, 'one\n', 'zero\nhalf\none\n')
      t.equal(
        'the cursor stays on its text',
        { 5, 4 },
        e:lua('return vim.api.nvim_win_get_cursor(0)')
      )
      t.equal('so does a mark', { 4, 1 }, e:lua("return vim.api.nvim_buf_get_mark(0, 'm')"))
      t.equal(
        'and an extmark',
        { 4, 2 },
        e:lua('return vim.api.nvim_buf_get_extmark_by_id(0, ns, mark, {})')
      )

      e:open('g.txt')
      e:edit('f.txt', e:read('f.txt').content_hash, 'three', 'drei')
      t.equal(
        'a hidden buffer takes edits',
        'zero\nhalf\none\ntwo\ndrei\n',
        e:read('f.txt').content
      )
      t.equal('its file does not', 'one\ntwo\nthree\n', editor.read(e:path('f.txt')))
      e:lua('vim.cmd.buffer(...)', e:path('f.txt'))
      e:type('u')
      t.equal('and undoes them alone', 'zero\nhalf\none\ntwo\nthree\n', e:read('f.txt').content)
    end
  )

  t.with_editor('an edit that fails half way', { files = { ['f.txt'] = 'one\ntwo\n' } }, function(e)
    e:open('f.txt')
    e:type('Otyped<Esc>')
    local doc = e:document()
    local function at(line, text)
      local place = { line = line, character = 0 }
      return { range = { start = place, ['end'] = place }, newText = text }
    end
    e:lua([[
      local set_text, count = vim.api.nvim_buf_set_text, 0
      vim.api.nvim_buf_set_text = function(...)
        count = count + 1
        assert(count ~= 2, 'no second change')
        return set_text(...)
      end]])
    local answer = e:apply(doc.uri, doc.version, { at(0, 'a'), at(1, 'b') })
    t.check('is not applied', answer.applied == false, answer)
    t.equal('and leaves nothing behind', { 'typed', 'one', 'two' }, e:lines())
    t.equal('on either side', 'typed\none\ntwo\n', e:read('f.txt').content)
  end)

  local ones = { ['f.txt'] = 'one\n', ['g.txt'] = 'one\n', ['h.txt'] = 'one\n' }
  t.with_editor('saving', { files = ones }, function(e)
    local function edit(name, save)
      local answer = e:call('edit_file', {
        path = name,
        expected_hash = e:read(name).content_hash,
        old_text = 'one',
        new_text = 'ONE',
        save = save,
      })
      return (answer.files or { answer })[1]
    end
    e:open('f.txt')
    t.equal('a clean buffer is saved with the edit', true, edit('f.txt', 'auto').saved)
    t.equal('to its file', 'ONE\n', editor.read(e:path('f.txt')))
    e:open('g.txt')
    e:type('otyped<Esc>')
    t.check('a dirty one is not', not edit('g.txt', 'auto').saved)
    t.equal('its file stays', 'one\n', editor.read(e:path('g.txt')))
    e:open('h.txt')
    e:type('otyped<Esc>')
    t.equal('unless the call says always', true, edit('h.txt', 'always').saved)
    t.equal('then all of it is', 'ONE\ntyped\n', editor.read(e:path('h.txt')))
  end)

  t.with_editor('what is refused', { files = { ['f.txt'] = 'text\n' } }, function(e)
    e:open('f.txt')
    local uri = vim.uri_from_fname(e:path('f.txt'))
    local version =
      e:lua("return require('agent_lsp.sync').doc(vim.api.nvim_get_current_buf()).version")
    local zero = { line = 0, character = 0 }
    local edits = { { range = { start = zero, ['end'] = zero }, newText = 'new ' } }
    local function refused(name, answer, pattern)
      t.check(name, answer.applied == false and (answer.failureReason or ''):find(pattern), answer)
    end
    refused('an edit of another version', e:apply(uri, version + 1, edits), 'version')
    refused('an edit of a file that is not open', e:apply(uri .. 'x', version, edits), 'not open')
    e:lua('vim.bo.modifiable = false')
    refused(
      'an edit of a buffer that is not modifiable',
      e:apply(uri, version, edits),
      'modifiable'
    )
    e:lua('vim.bo.modifiable = true; vim.bo.readonly = true')
    refused('an edit of a read-only buffer', e:apply(uri, version, edits), 'read%-only')
    e:lua('vim.bo.readonly = false')
    t.equal('none of them changed anything', { 'text' }, e:lines())
    local create = { kind = 'create', uri = uri .. '2' }
    refused(
      'making a file',
      e:server_asks('workspace/applyEdit', { edit = { documentChanges = { create } } }),
      'create'
    )
    local both = {
      { textDocument = { uri = uri, version = version }, edits = edits },
      { textDocument = { uri = uri .. 'x', version = 1 }, edits = edits },
    }
    refused(
      'two documents of which one cannot be edited',
      e:server_asks('workspace/applyEdit', { edit = { documentChanges = both } }),
      'not open'
    )
    t.equal('leaves the other alone', { 'text' }, e:lines())
    t.equal('an edit that fits is applied', { applied = true }, e:apply(uri, version, edits))
    t.equal('and is there', { 'new text' }, e:lines())
  end)
end
