-- Whatever is done to a buffer, the server's text is what `:write` would put on the disk. The
-- oracle is Neovim's own `:write` to another file.
return function(t, editor)
  local STEPS = 120

  local COMMANDS = {
    'ihello<Esc>',
    'Ahello<CR>world<CR><Esc>',
    'ofoo<Esc>',
    'OBAR<Esc>',
    'dd',
    '2dd',
    'dw',
    'x',
    'J',
    'yyp',
    'yyP',
    'p',
    'u',
    'u',
    '<C-r>',
    'G',
    'gg',
    'j',
    'k',
    '$',
    'Go<Esc>',
    'Gdd',
    'ggdG',
    'ddp',
    '>>',
    '~',
    'rx',
    'Rover<Esc>',
    'cwnew<Esc>',
    'i<C-v>u00e9<C-v>U1F600<Esc>',
    'a<CR><BS><Esc>',
    'i<BS><BS><Esc>',
    'vjd',
    'VjJ',
    '<C-v>jlIblock<Esc>',
    'g-',
    'g+',
    '.',
    'gUU',
    ':move 0<CR>',
    ':copy $<CR>',
    ':silent! %s/o/oo/g<CR>',
    ':silent! %s/\\n/,/<CR>',
    ':silent! %s/,/\\r/g<CR>',
    ':silent! g/l/delete<CR>',
    ':silent! g/o/move 0<CR>',
    ':sort<CR>',
    ':silent! %normal Az<CR>',
    ':silent! %!cat<CR>',
    ':silent! 1,2join<CR>',
    ':put =range(3)<CR>',
    ':silent! $delete<CR>',
    ':set endofline!<CR>',
    ':retab!<CR>',
    'i<C-k>e:<Esc>',
    'qaAq<Esc>q',
    '@a',
    ':silent! undo 0<CR>',
    ':earlier 3<CR>',
    ':later 2<CR>',
  }

  ---@param before string Lua run once the file is open
  local function walk(name, content, seed, before)
    t.with_editor(name, { files = { ['f.txt'] = content } }, function(e)
      e:open('f.txt')
      e:lua(before)
      e:mirrored()
      local random, done = editor.randomly(seed), {}
      for step = 1, STEPS do
        local keys = COMMANDS[random(#COMMANDS)]
        done[step] = keys
        e:type(keys)
        local expected, got = e:would_write(), e:read('f.txt')
        if expected ~= got.content or got.unsure then
          t.check(
            name .. ' stays mirrored',
            false,
            { keys = vim.list_slice(done, math.max(1, step - 8)), expected = expected, got = got }
          )
          return
        end
      end
      t.check(('%s stays mirrored through %d commands'):format(name, STEPS), true)
    end)
  end

  t.with_editor('undo to nothing', { files = { ['f.txt'] = 'one\n' } }, function(e)
    e:open('f.txt')
    e:type('dd')
    t.equal(
      'a buffer without lines is no byte',
      { '', '' },
      { e:read('f.txt').content, e:would_write() }
    )
    e:type('ix<BS><Esc>')
    t.equal('an empty line is one', { '\n', '\n' }, { e:read('f.txt').content, e:would_write() })
    e:type('u')
    t.equal(
      'undo, without any changed line, is told',
      { '', '' },
      { e:read('f.txt').content, e:would_write() }
    )
  end)

  for seed = 1, tonumber(vim.env.AGENT_LSP_SEEDS or 1) do
    walk('a file', 'one\ntwo\nthree four\nfünf\n', seed, '')
    walk('a file without final line end', 'one\ntwo\nthree', seed, 'vim.bo.fixendofline = false')
    walk('an empty file', '', seed, 'vim.bo.fixendofline = false')
    walk('an empty file that gets its line end', '', seed, '')
    walk('a CRLF file', 'one\r\ntwo\r\nthree\r\n', seed, '')
    walk('a file with some ^M', 'one\r\ntwo\nthree\r\nfour\n', seed, '')
    walk('a classic Mac file', 'one\rtwo\rthree\r', seed, 'vim.cmd("edit ++fileformat=mac")')
  end
end
