-- :checkhealth agent_lsp and the help file.
return function(t)
  local function report(e)
    e:lua("vim.cmd('checkhealth agent_lsp')")
    return table.concat(e:lines(), '\n')
  end

  t.with_editor('checkhealth', { files = { ['f.txt'] = 'one\n' } }, function(e)
    e:open('f.txt')
    local text = report(e)
    local version = vim.trim(vim.split(vim.fn.system({ vim.env.AGENT_LSP, 'version' }), '\n')[1])
    local function tells(name, part)
      t.check('it tells ' .. name, text:find(part, 1, true), text)
    end
    tells('the version of Neovim', 'Neovim ' .. tostring(vim.version()))
    tells('the version of the binary', version)
    tells('the server', 'attached: client')
    tells('the roots', 'roots: ' .. e.dir)
    tells('the position encoding', 'position encoding: utf-8')
    tells('what the editor offers', 'line_rule, reload, resync, save')
    tells('the documents', vim.uri_from_fname(e:path('f.txt')))
    t.check('nothing is wrong', not text:find('ERROR') and not text:find('WARN'), text)
  end)

  t.with_editor(
    'checkhealth without binary',
    { before = "vim.lsp.config('agent_lsp', { cmd = { 'agent-lsp-nowhere', 'lsp' } })" },
    function(e)
      e:lua('vim.cmd.edit(...)', e:path('f.txt'))
      local text = report(e)
      t.check(
        'a missing binary is an error',
        text:find('ERROR agent-lsp-nowhere was not found', 1, true),
        text
      )
      t.check('with what to do', text:find('PATH', 1, true), text)
      t.equal('and nothing else happens', {}, e:lua('return notes'))
    end
  )

  t.with_editor('help', {}, function(e)
    local ok = e:lua([[
      local dir = vim.fn.tempname()
      vim.fn.mkdir(dir .. '/doc', 'p')
      local page = '/doc/agent_lsp.txt'
      assert(vim.uv.fs_copyfile(vim.env.AGENT_LSP_PLUGIN .. page, dir .. page))
      vim.cmd('helptags ' .. dir .. '/doc')
      vim.opt.runtimepath:append(dir)
      return pcall(vim.cmd, 'help agent_lsp.call()')]])
    t.check('there is a help page', ok)
    t.check(
      'it explains the calls',
      e:lua('return vim.fn.getline(".")'):find('agent_lsp.call()', 1, true)
    )
  end)
end
