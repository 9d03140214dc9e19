-- The tools inside chat plugins. The plugins are stubs, written from their documentation: they take
-- what the real ones take, and call it as the real ones do.
return function(t, editor)
  local files = { ['f.txt'] = 'one\ntwo\n' }

  --- Waits for what a stub noted.
  local function noted(e)
    return editor.eventually(function()
      local value = e:lua('return noted')
      return value ~= vim.NIL and value
    end)
  end

  t.with_editor('mcphub.nvim', { files = files }, function(e)
    e:lua([[
      package.loaded.mcphub = {
        add_tool = function(server, tool)
          hub = hub or {}
          hub[server .. '/' .. tool.name] = tool
        end,
      }
      require('agent_lsp').register_mcphub()
      -- Runs a tool with the response builder that its manual describes.
      function use(name, params)
        noted = nil
        local texts = {}
        local res = {}
        function res:text(text)
          texts[#texts + 1] = text
          return self
        end
        function res:send()
          noted = { text = table.concat(texts) }
        end
        function res:error(message)
          noted = { problem = message }
        end
        hub['agent_lsp/' .. name].handler({ params = params }, res)
      end]])
    t.equal('nothing is registered before a server runs', vim.NIL, e:lua('return hub'))
    e:open('f.txt')
    e:type('Atyped<Esc>')
    t.check(
      'then its tools are',
      editor.eventually(function()
        return e:lua("return hub ~= nil and hub['agent_lsp/read_file'] ~= nil")
      end)
    )
    local tool = e:lua([[
      local tool = hub['agent_lsp/edit_file']
      return { tool.description, tool.inputSchema.type, tool.inputSchema.required }]])
    t.check('with description and schema', #tool[1] > 20 and tool[2] == 'object', tool)
    e:lua("use('read_file', { path = 'f.txt' })")
    local seen = noted(e)
    t.check('a read sees unsaved text', seen.text:find('1|onetyped', 1, true), seen)
    e:lua("use('read_file', { path = '.env' })")
    seen = noted(e)
    t.check('a refusal is an error', seen.problem, seen)
  end)

  t.with_editor('avante.nvim', { files = files }, function(e)
    t.equal(
      'no tools without a server',
      {},
      e:lua([[
      function tools() -- functions cannot be sent
        return vim.tbl_map(function(tool)
          return { name = tool.name, fields = tool.param.fields }
        end, require('agent_lsp').avante_tools())
      end
      return tools()]])
    )
    e:open('f.txt')
    local all = e:lua('return tools()')
    local edit = vim.iter(all):find(function(tool)
      return tool.name == 'agent_lsp_edit_file'
    end)
    t.check('with one there are', edit, all)
    local fields = {}
    for _, field in ipairs(edit.fields) do
      fields[field.name] = field
      t.check(
        field.name .. ' has a type that avante knows',
        vim.list_contains({ 'string', 'integer', 'boolean', 'object', 'array' }, field.type),
        field
      )
    end
    t.equal('what must be given is not optional', nil, fields.path.optional)
    t.equal('what may be left out is', true, fields.dry_run.optional)
    t.equal('lists have a kind', 'object', fields.edits.items.type)
    e:lua([[
      function use(name, ...)
        noted = nil
        for _, tool in ipairs(require('agent_lsp').avante_tools()) do
          if tool.name == name then
            return tool.func(...)
          end
        end
      end
      function done(result, problem)
        noted = { text = result, problem = problem }
      end]])
    e:type('Atyped<Esc>')
    t.equal(
      'it answers later',
      vim.NIL,
      e:lua([[
      return use('agent_lsp_read_file', { path = 'f.txt' }, { on_complete = done })]])
    )
    t.check('as its code calls it', (noted(e).text or ''):find('1|onetyped', 1, true))
    e:lua("use('agent_lsp_read_file', { path = '.env' }, function() end, done)")
    t.check('as its manual does', noted(e).problem:find('permission_denied', 1, true))
  end)

  t.with_editor('codecompanion.nvim', { files = files }, function(e)
    e:lua([[
      config = { interactions = { chat = { tools = { groups = {} } } } }
      package.loaded['codecompanion.config'] = config
      -- `extensions = { agent_lsp = {} }` in its setup does this.
      require('codecompanion._extensions.agent_lsp').setup({})
      -- Runs a tool as its orchestrator does: the command, then success or error.
      function use(name, args)
        noted = nil
        local tool = config.interactions.chat.tools[name]
        local chat = {
          add_tool_output = function(_, _, text)
            noted = text
          end,
        }
        tool.cmds[1](tool, args, {
          output_cb = function(answer)
            tool.output[answer.status](tool, { answer.data }, { tools = { chat = chat }, cmd = {} })
          end,
        })
      end]])
    e:open('f.txt')
    e:type('Atyped<Esc>')
    local group = editor.eventually(function()
      local group = e:lua('return config.interactions.chat.tools.groups.agent_lsp')
      return group ~= vim.NIL and group
    end)
    t.check('there is a group of all tools', vim.list_contains(group.tools, 'agent_lsp_edit_file'))
    local schema = e:lua([[
      return config.interactions.chat.tools.agent_lsp_read_file.schema['function'] ]])
    t.equal('the schema is a function of that name', 'agent_lsp_read_file', schema.name)
    t.equal('with parameters', 'object', schema.parameters.type)
    e:lua("use('agent_lsp_read_file', { path = 'f.txt' })")
    t.check('a read sees unsaved text', noted(e):find('1|onetyped', 1, true), noted(e))
    e:lua("use('agent_lsp_read_file', { path = '.env' })")
    t.check('a refusal is told', noted(e):find('permission_denied', 1, true), noted(e))
  end)
end
