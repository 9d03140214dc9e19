-- What goes over the wire, and when.
return function(t)
  t.with_editor('keys', { files = { ['f.txt'] = 'x\n' } }, function(e)
    e:open('f.txt')
    local from = e:lua('return #sent')
    e:type('A')
    for _, key in ipairs({ 'a', 'b', 'c', '<CR>', 'd' }) do
      local before = #e:sent('textDocument/didChange', from)
      e:type(key)
      t.equal(
        'the key ' .. key .. ' gives its didChange at once',
        before + 1,
        #e:sent('textDocument/didChange', from)
      )
    end
    e:type('<Esc>')
    local versions = vim.tbl_map(function(change)
      return change.textDocument.version
    end, e:sent('textDocument/didChange', from))
    t.equal('versions count one up', { 1, 2, 3, 4, 5 }, versions)
    local whole = vim.tbl_filter(function(change)
      return change.contentChanges[1].range == nil
    end, e:sent('textDocument/didChange', from))
    t.equal('and never the whole text', 0, #whole)
  end)

  t.with_editor('one message an edit', { files = { ['f.txt'] = 'a\nb\nc\n' } }, function(e)
    e:open('f.txt')
    local from = e:lua('return #sent')
    e:call('edit_file', {
      path = 'f.txt',
      expected_hash = e:read('f.txt').content_hash,
      save = 'never',
      edits = { { old_text = 'a', new_text = 'A' }, { old_text = 'c\n', new_text = 'C' } },
    })
    e:lua('vim.wait(1)')
    t.equal(
      'an edit in several places is one didChange',
      1,
      #e:sent('textDocument/didChange', from)
    )
  end)

  t.with_editor('document state', { files = { ['f.txt'] = 'one\n' } }, function(e)
    e:open('f.txt')
    local function last()
      e:lua('vim.wait(1)')
      local all = e:sent('agent/documentState')
      return all[#all]
    end
    local opened = last()
    t.equal(
      'after open',
      { 'utf-8', false, false, 'lf' },
      { opened.encoding, opened.bom, opened.dirty, opened.line_rule }
    )
    t.equal('with the hash of the text', 'sha256:' .. vim.fn.sha256('one\n'), opened.text_hash)
    e:type('ix<Esc>')
    t.equal('the first key makes it dirty', true, last().dirty)
    e:type('u')
    t.equal('undo makes it clean', false, last().dirty)
    e:lua("vim.bo.fileencoding = 'latin1'")
    t.equal('another encoding is told', 'latin1', last().encoding)
    e:lua("vim.bo.fileencoding = 'utf-8'; vim.bo.bomb = true")
    t.equal('a mark too', true, last().bom)
    e:lua('vim.bo.bomb = false')
    e:lua("vim.bo.fileformat = 'dos'")
    t.equal('another fileformat is another text', 'one\r\n', e:read('f.txt').content)
    e:lua("vim.bo.fileformat = 'mac'")
    t.equal('in a classic Mac file CR ends lines', 'any', last().line_rule)
    e:lua("vim.bo.fileformat = 'unix'")
    t.equal('and back', 'one\n', e:read('f.txt').content)
    e:lua('vim.bo.fixendofline = false; vim.bo.endofline = false')
    t.equal('no final line end', 'one', e:read('f.txt').content)
    e:lua('vim.bo.endofline = true')
    t.equal('and one again', 'one\n', e:read('f.txt').content)
    e:lua("vim.cmd('silent write')")
    t.equal(
      'after saving',
      { false, 'sha256:' .. vim.fn.sha256('one\n') },
      { last().dirty, last().text_hash }
    )
    e:lua("for _ = 1, 70 do vim.api.nvim_buf_set_text(0, 0, 0, 0, 0, { 'y' }) end")
    t.check(
      'after many changes the hash goes along',
      vim.startswith(last().text_hash or '', 'sha256:'),
      last()
    )
    t.check('which agrees', not e:read('f.txt').unsure)
    e:lua('vim.bo.filetype = "lua"')
    local opens = e:sent('textDocument/didOpen')
    t.equal(
      'another file type opens it anew',
      { 2, 'lua' },
      { #opens, opens[#opens].textDocument.languageId }
    )
    t.equal('the text is still right', ('y'):rep(70) .. 'one\n', e:read('f.txt').content)
  end)
end
