-- :checkhealth agent_lsp and the help file.
return function(t, editor)
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
    tells('what the editor offers', 'activity, codeActions')
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
      local set = text:find('your configuration sets cmd', 1, true)
      local path = text:find('on your PATH', 1, true)
      t.check('with what to do, and cmd first', set and path and set < path, text)
      t.check('and no advice to open a file', not text:find('open a file', 1, true), text)
      e:lua('vim.cmd.edit(...) vim.wait(50)', e:path('g.txt'))
      t.equal(
        'one message said so',
        { 'agent_lsp: agent-lsp-nowhere was not found; see :checkhealth' },
        e:lua('return notes')
      )
    end
  )

  t.with_editor('checkhealth without a server', { files = { ['f.txt'] = 'one\n' } }, function(e)
    local text = report(e)
    t.check('no file is open: it says to open one', text:find('open a file', 1, true), text)
    e:open('f.txt')
    e:lua([[
      vim.lsp.get_clients({ name = 'agent_lsp' })[1]:stop()
      vim.wait(10000, function()
        return #vim.lsp.get_clients({ name = 'agent_lsp' }) == 0
      end)]])
    text = report(e)
    t.check(
      'a file is open: it says to start again',
      not text:find('open a file', 1, true) and text:find(':AgentLsp restart', 1, true),
      text
    )
  end)

  local bare = editor.project({ ['f.txt'] = 'one\n' })
  assert(vim.fn.delete(bare .. '/.git', 'rf') == 0)
  t.with_editor('checkhealth without roots', { before = 'vim.fn.chdir("/")' }, function(e)
    local path = bare .. '/f.txt'
    e:lua('vim.cmd.edit(...)', path)
    e:mirrored()
    local text = report(e)
    t.check('having no root is a warning', text:find('WARN[^\n]*roots: none'), text)
    t.check('with advice', text:find('create .git', 1, true), text)
    t.equal('the open file can be read', 'one\n', e:read(path).content)
    local hash = e:read(path).content_hash
    local edit = { path = path, expected_hash = hash, old_text = 'one', new_text = 'ONE' }
    local asked = e:ask('edit_file', edit)
    editor.eventually(function()
      return e:lua("return vim.fn.bufnr('agent-lsp://change')") > 0
    end)
    e:lua('vim.cmd.AgentLsp("reject")')
    local refused = e:answer(asked).result.structuredContent
    t.equal('edited with consent only', 'rejected_by_user', (refused.error or {}).kind)
    e:lua('vim.cmd.buffer(...)', path)
    e:lua('vim.cmd.cd(...) vim.cmd.edit()', bare)
    t.check('the advice helps', e:mirrored())
    e:edit(path, e:read(path).content_hash, 'one', 'ONE')
    t.equal('then it is edited', { 'ONE' }, e:lines())
  end)

  --- The Lua examples that stand in the help page below a tag.
  local function examples(tag)
    local here = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h')
    local page = editor.read(here .. '/../../doc/agent_lsp.txt')
    local found = {}
    local section = page:match('%*' .. vim.pesc(tag) .. '%*\n(.-)\n====')
    for code in section:gmatch('>lua\n(.-)\n<') do
      found[#found + 1] = code
    end
    return found
  end

  t.with_editor('the examples in the help page', { files = { ['f.txt'] = 'one\n' } }, function(e)
    e:lua('printed = {} print = function(text) printed[#printed + 1] = text end')
    local function run(code, count)
      e:lua(code)
      e:lua('local n = ... vim.wait(5000, function() return #printed == n end, 5)', count)
      return e:lua('return printed[...]', count)
    end
    local reading, editing = unpack(examples('agent_lsp.call()'))
    local message = 'no agent-lsp server is attached; see :checkhealth agent_lsp'
    t.equal('reading tells a failed call', message, run(reading, 1))
    e:open('f.txt')
    t.check('it prints the text', tostring(run(reading, 2)):find('one', 1, true))
    local diff = tostring(run(editing, 3))
    t.check('editing prints a diff', diff:find('+A new first line', 1, true), diff)
    t.equal('and the line is there', { 'A new first line', 'one' }, e:lines())
    e:lua('vim.cmd.edit(...)', e:path('.env'))
    e:mirrored()
    t.check(
      'a refusal is told too',
      tostring(run(reading, 4)):find('.env', 1, true),
      e:lua('return printed')
    )
  end)

  t.with_editor(
    'the configuration in the help page',
    { files = { ['a.min.js'] = 'x\n' } },
    function(e)
      local code = examples('agent_lsp-config')[1]
      e:lua((code:gsub("'/opt/agent%-lsp/bin/agent%-lsp'", "'agent-lsp'")))
      e:open('f.txt')
      e:type('ione<Esc>')
      t.equal('is understood', 'permission_denied', (e:read('a.min.js').error or {}).kind)
      e:edit('f.txt', e:read('f.txt').content_hash, 'one', 'ONE')
      t.equal('and refuses no ordinary edit', { 'ONE' }, e:lines())
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
    for _, name in ipairs(e:lua("return vim.fn.getcompletion('AgentLsp ', 'cmdline')")) do
      local tag = name == 'status' and ':AgentLsp' or ':AgentLsp-' .. name
      t.equal('help has ' .. tag, tag, e:lua("return vim.fn.getcompletion(..., 'help')[1]", tag))
    end
    t.check(
      'it explains the calls',
      e:lua('return vim.fn.getline(".")'):find('agent_lsp.call()', 1, true)
    )
  end)
end
