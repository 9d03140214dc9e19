-- Hashes are those of the bytes on disk, and an edit changes no other byte.
return function(t, editor)
  local FILES = {
    { name = 'crlf.txt', bytes = 'one\r\ntwo\r\n', edited = 'one\r\nTWO\r\n' },
    { name = 'mixed.txt', bytes = 'one\r\ntwo\nthree\r\n', edited = 'one\r\nTWO\nthree\r\n' },
    { name = 'latin1.txt', bytes = 'caf\233\ntwo\n', edited = 'caf\233\nTWO\n' },
    { name = 'bom.txt', bytes = '\239\187\191one\ntwo\n', edited = '\239\187\191one\nTWO\n' },
    { name = 'noeol.txt', bytes = 'one\ntwo', edited = 'one\nTWO', fixes = false },
    { name = 'lone_cr.txt', bytes = 'one\rone\ntwo\n', edited = 'one\rone\nTWO\n' },
    { name = 'utf8.txt', bytes = 'käse 😀 two\n', edited = 'käse 😀 TWO\n' },
    {
      name = 'utf16.txt',
      bytes = '\255\254o\0n\0e\0\n\0t\0w\0o\0\n\0',
      edited = '\255\254o\0n\0e\0\n\0T\0W\0O\0\n\0',
    },
  }

  local ENDS = {
    ['a.txt'] = 'one\ntwo',
    ['b.txt'] = 'one\ntwo\n',
    ['c.txt'] = '',
    ['d.txt'] = 'x',
  }

  local content = {}
  for _, file in ipairs(FILES) do
    content[file.name] = file.bytes
  end

  t.with_editor('encodings and line ends', { files = content }, function(e)
    for _, file in ipairs(FILES) do
      local path = e:path(file.name)
      e:open(file.name)
      if file.fixes == false then
        e:lua('vim.bo.fixendofline = false')
      end
      local seen = e:read(file.name)
      t.equal(
        file.name .. ': the buffer has the hash of the file',
        editor.hash(path),
        seen.content_hash
      )
      local landed = e:edit(file.name, seen.content_hash, 'two', 'TWO')
      local told = (landed.files or { landed })[1]
      e:lua("vim.cmd('silent write')")
      t.equal(file.name .. ': the edit changes no other byte', file.edited, editor.read(path))
      t.equal(
        file.name .. ': the answer told the hash to come',
        editor.hash(path),
        told.content_hash or told
      )
      t.equal(
        file.name .. ': saved, it is the hash of the file',
        editor.hash(path),
        e:read(file.name).content_hash
      )
    end
  end)

  t.with_editor('the final line end', { files = ENDS }, function(e)
    e:open('a.txt')
    local seen = e:read('a.txt')
    e:edit('a.txt', seen.content_hash, 'two', 'two\nthree\n')
    t.equal('an edit can add the final line end', 'one\ntwo\nthree\n', e:read('a.txt').content)
    t.equal('without an empty line in the editor', { 'one', 'two', 'three' }, e:lines())
    e:type('u')
    t.equal('u takes it back', 'one\ntwo', e:read('a.txt').content)
    t.equal('to the hash before', seen.content_hash, e:read('a.txt').content_hash)

    e:open('b.txt')
    seen = e:read('b.txt')
    e:edit('b.txt', seen.content_hash, 'two\n', 'two')
    t.equal('an edit can remove it', 'one\ntwo', e:read('b.txt').content)
    e:lua("vim.cmd('silent write')")
    t.equal("and 'fixendofline' does not put it back", 'one\ntwo', editor.read(e:path('b.txt')))
    e:type('u')
    e:lua("vim.cmd('silent write')")
    t.equal('u does', 'one\ntwo\n', editor.read(e:path('b.txt')))
    e:type('<C-r>')
    t.equal('redo removes it again', 'one\ntwo', e:read('b.txt').content)

    e:open('c.txt')
    t.equal(
      'an empty file is empty',
      { '', editor.hash(e:path('c.txt')) },
      { e:read('c.txt').content, e:read('c.txt').content_hash }
    )
    e:type('inow<Esc>')
    t.equal('something typed into it is a line', 'now\n', e:read('c.txt').content)

    e:open('d.txt')
    t.equal(
      "a file without final line end is as it is, also with 'fixendofline'",
      'x',
      e:read('d.txt').content
    )
    e:type('ay<Esc>')
    t.equal('also when something is typed', 'xy', e:read('d.txt').content)
    e:lua("vim.cmd('silent write')")
    t.equal('until it is written', 'xy\n', editor.read(e:path('d.txt')))
    t.equal(
      'then the text is the file again',
      { 'xy\n', editor.hash(e:path('d.txt')) },
      { e:read('d.txt').content, e:read('d.txt').content_hash }
    )
  end)

  t.with_editor('bytes that are no text', { files = { ['f.txt'] = 'good\n' } }, function(e)
    e:open('f.txt')
    e:lua([[vim.api.nvim_buf_set_lines(0, 1, 1, true, { 'bad \255 byte' })]])
    t.equal('they are read as U+FFFD', 'good\nbad \239\191\189 byte\n', e:read('f.txt').content)
    local doc = e:document()
    local range = { start = { line = 1, character = 0 }, ['end'] = { line = 1, character = 3 } }
    local answer = e:apply(doc.uri, doc.version, { { range = range, newText = 'BAD' } })
    t.check(
      'their line is not edited',
      answer.applied == false and answer.failureReason:find('UTF%-8'),
      answer
    )
  end)
end
