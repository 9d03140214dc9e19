-- What real language servers know: references, renames, actions and settled diagnostics, over the
-- unsaved text. The servers' programs come by the environment: see run.sh.
return function(t, editor)
  local files = {
    ['go.mod'] = 'module example.org/a\n\ngo 1.21\n',
    ['a.go'] = 'package a\n\n// One is one.\nfunc One() int { return 1 }\n\nfunc two() int {\n'
      .. '\treturn One() + One()\n}\n',
    ['b.go'] = 'package a\n\n// One of them: "One".\nvar three = One() + two()\n\n'
      .. 'var text = "One"\n',
  }
  local with_gopls = [[
    vim.cmd('filetype on')
    vim.lsp.config('gopls', {
      cmd = { vim.env.GOPLS },
      filetypes = { 'go' },
      root_markers = { 'go.mod' },
    })
    vim.lsp.enable('gopls')]]

  local function lines_of(answer)
    local found = {}
    for _, file in ipairs(answer.files or {}) do
      for _, hit in ipairs(file.hits) do
        found[#found + 1] = file.path .. ':' .. hit.line
      end
    end
    return #found > 0 and found or answer
  end

  --- Asks until no language server is busy.
  local function settled(e, tool, arguments)
    local answer
    editor.eventually(function()
      answer = e:call(tool, arguments)
      return not answer.pending
    end)
    return answer
  end

  t.with_editor('references', { files = files, before = with_gopls }, function(e)
    e:open('a.go')
    local ask = { path = 'a.go', symbol = 'One' }
    local answer = settled(e, 'references', ask)
    t.equal('by the server', 'gopls', answer.by)
    t.equal('not in comments or strings', { 'a.go:4', 'a.go:7', 'b.go:4' }, lines_of(answer))
    e:type('ggovar four = 4<Esc>o// é<Esc>Govar five = One()<Esc>')
    answer = settled(e, 'references', ask)
    t.equal('over the unsaved text', { 'a.go:6', 'a.go:9', 'a.go:11', 'b.go:4' }, lines_of(answer))
    local callers =
      settled(e, 'references', { path = 'a.go', symbol = 'two', relation = 'callers' })
    t.equal('callers', { 'b.go:4' }, lines_of(callers))
    local from = { path = 'b.go', line = 4, text = 'two', relation = 'definition' }
    local def = settled(e, 'references', from)
    t.equal('a definition, from a file that is not open', { 'a.go:8' }, lines_of(def))
    local shown = def.files[1].hits[1].definition
    t.check('the definition itself', (shown.text or ''):find('return One'), def)
  end)

  t.with_editor('rename', { files = files, before = with_gopls }, function(e)
    e:open('a.go')
    e:type('Go// end<Esc>')
    settled(e, 'references', { path = 'a.go', symbol = 'One' })
    local undo = 'return #vim.fn.undotree().entries'
    local steps = e:lua(undo)
    local ask = { path = 'a.go', symbol = 'One', new_name = 'Uno', save = 'never' }
    ask.dry_run = true
    local dry = e:call('rename_symbol', ask)
    t.equal('a dry run tells both files', 2, #(dry.files or {}))
    t.equal('and changes nothing', 'func One() int { return 1 }', e:lines()[4])
    ask.dry_run = nil
    local done = e:call('rename_symbol', ask)
    local lines = e:lines()
    t.equal('the buffer', { 'func Uno() int { return 1 }', '\treturn Uno() + Uno()', '// end' }, {
      lines[4],
      lines[7],
      lines[9],
    })
    t.equal('one undo step', steps + 1, e:lua(undo))
    local closed = editor.read(e:path('b.go'))
    t.check('the file that is not open', closed:find('var three = Uno() + two()', 1, true), closed)
    t.check('not in strings', closed:find('"One"', 1, true), closed)
    e:call('revert_edit', { id = done.id })
    t.equal('reverted in the file', files['b.go'], editor.read(e:path('b.go')))
    t.equal('and in the buffer', 'func One() int { return 1 }', e:lines()[4])
    ask.new_name = 'two'
    local refused = e:call('rename_symbol', ask).error or {}
    t.equal('refused in the words of the server', 'not_applied', refused.kind)
    t.check('which say why', (refused.message or ''):find('two', 1, true), refused)
    ask.line, ask.text, ask.symbol, ask.new_name = 7, 'One', nil, 'Uno'
    t.equal('a name that stands twice', 'ambiguous_match', e:call('rename_symbol', ask).error.kind)
  end)

  local unused = { ['go.mod'] = files['go.mod'], ['c.go'] = 'package a\n\nimport "os"\n' }
  t.with_editor('actions', { files = unused, before = with_gopls }, function(e)
    e:open('c.go')
    settled(e, 'diagnostics', { path = 'c.go', wait_ms = 20000 })
    local list = e:call('code_action', { path = 'c.go', kind = 'source.organizeImports' })
    local offered = list.offered and list.offered[1] or {}
    t.equal('is offered', 'Organize Imports', offered.title)
    local ask = { path = 'c.go', apply = offered.title, kind = 'source.organizeImports' }
    local done = e:call('code_action', ask)
    t.check('is applied', not vim.iter(e:lines()):any(function(line)
      return line:find('import')
    end), { done, e:lines() })
    ask.apply = 'No such title'
    t.equal('another title', 'not_supported', e:call('code_action', ask).error.kind)
  end)

  --- Whether a project's diagnostics are told when they are about the present text, and else not.
  local function diagnosed(name, options, path, broken, mended)
    t.with_editor(name, options, function(e)
      e:open(path)
      local clean = settled(e, 'diagnostics', { path = path, wait_ms = 20000 })
      t.equal(name .. ': clean, and settled', { 'settled', 0 }, { clean.state, clean.errors })
      for _ = 1, 3 do
        local edit = e:edit(path, e:read(path).content_hash, broken.old, broken.new)
        local quick = e:call('diagnostics', { path = path, wait_ms = 0 })
        local honest = quick.state ~= 'settled' or quick.errors > 0
        t.check(name .. ': never clean by silence', honest, quick)
        local told = edit.diagnostics or quick.notes -- of a server that is quick
        for _ = 1, 9 do -- a later answer about something else tells it, too
          e:lua('vim.wait(300)')
          local notes = e:call('find_files', { pattern = 'nowhere' }).notes or {}
          told = told
            or vim.iter(notes):any(function(note)
              return note:find('broke ' .. path, 1, true)
            end)
          if told then
            break
          end
        end
        t.check(name .. ': told by a later answer', told)
        local after = e:call('diagnostics', { path = path, wait_ms = 20000 })
        local got = { after.state, after.errors > 0 }
        t.equal(name .. ': broken, and settled', { 'settled', true }, got)
        local since = e:call('diagnostics', { since = edit.id, wait_ms = 20000 })
        local broke = since.since and #(since.since.new or {}) > 0
        t.check(name .. ': what an edit broke', broke and not since.since.gone, since)
        edit = e:edit(path, e:read(path).content_hash, mended.old, mended.new)
        after = e:call('diagnostics', { path = path, wait_ms = 20000 })
        t.equal(name .. ': mended', { 'settled', 0 }, { after.state, after.errors })
        since = e:call('diagnostics', { since = edit.id, wait_ms = 20000 })
        t.check(name .. ': what an edit mended', #(since.since.gone or {}) > 0, since)
      end
    end)
  end

  local broken = { old = 'return One() + One()', new = 'return Ono() + One()' }
  local mended = { old = broken.new, new = broken.old }
  diagnosed('gopls', { files = files, before = with_gopls }, 'a.go', broken, mended)

  local scripts = {
    ['package.json'] = '{"name": "a"}',
    ['tsconfig.json'] = '{"compilerOptions": {"strict": true, "noEmit": true}}',
    ['a.ts'] = 'export const one: number = 1;\n',
  }
  local with_tsserver = [[
    vim.cmd('filetype on')
    vim.lsp.config('ts_ls', {
      cmd = { vim.env.TSSERVER, '--stdio' },
      filetypes = { 'typescript' },
      root_markers = { 'package.json' },
    })
    vim.lsp.enable('ts_ls')]]
  broken = { old = 'number = 1', new = "number = 'x'" }
  mended = { old = broken.new, new = broken.old }
  diagnosed('tsserver', { files = scripts, before = with_tsserver }, 'a.ts', broken, mended)
end
