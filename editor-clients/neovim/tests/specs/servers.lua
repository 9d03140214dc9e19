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
      if vim.env.SHOW then io.stdout:write(vim.inspect(answer.by), vim.inspect(answer.pending), vim.inspect(answer.notes), vim.inspect(answer.error), '\n') end
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
    t.equal(
      'over the unsaved text',
      { 'a.go:6', 'a.go:9', 'a.go:11', 'b.go:4' },
      lines_of(answer)
    )
    local callers = settled(e, 'references', { path = 'a.go', symbol = 'two', relation = 'callers' })
    t.equal('callers', { 'b.go:4' }, lines_of(callers))
    local def = settled(e, 'references', { path = 'b.go', line = 4, text = 'two', relation = 'definition' })
    t.equal('a definition, from a file that is not open', { 'a.go:8' }, lines_of(def))
    t.check('the definition itself', (def.files[1].hits[1].definition.text or ''):find('return One'), def)
  end)
end
