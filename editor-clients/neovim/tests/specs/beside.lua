-- Beside another language server: both get what they need, and neither is in the other's way.
return function(t, editor)
  local OTHER = [[
    heard = {}
    vim.lsp.config('other', {
      filetypes = { 'text' },
      root_markers = { '.git' },
      cmd = function(dispatchers)
        local closing = false
        return {
          request = function(method, params, callback)
            if method == 'initialize' then
              callback(nil, { capabilities = { textDocumentSync = 2, hoverProvider = true } })
            elseif method == 'textDocument/hover' then
              callback(nil, { contents = 'from the other server' })
            elseif method == 'shutdown' then
              callback(nil, nil)
            end
            return true, 1
          end,
          notify = function(method, params)
            heard[#heard + 1] = method
            if method == 'textDocument/didOpen' then
              dispatchers.notification('textDocument/publishDiagnostics', {
                uri = params.textDocument.uri,
                diagnostics = { {
                  message = 'told by the other',
                  range = {
                    start = { line = 0, character = 0 },
                    ['end'] = { line = 0, character = 3 },
                  },
                } },
              })
            end
          end,
          is_closing = function() return closing end,
          terminate = function() closing = true end,
        }
      end,
    })
    vim.lsp.enable('other')]]

  t.with_editor(
    'another server',
    { files = { ['f.txt'] = 'one\ntwo\n' }, before = OTHER },
    function(e)
      e:open('f.txt')
      t.check(
        'both attach',
        editor.eventually(function()
          return e:lua('return #vim.lsp.get_clients({ bufnr = 0 })') == 2
        end)
      )
      e:type('Atyped<Esc>')
      t.equal('ours has what is typed', 'onetyped\ntwo\n', e:read('f.txt').content)
      t.check(
        'so has the other',
        editor.eventually(function()
          return e:lua("return vim.list_contains(heard, 'textDocument/didChange')")
        end)
      )
      local told = e:call('diagnostics', { path = 'f.txt' })
      t.check(
        'assistants see its diagnostics',
        vim.inspect(told):find('told by the other', 1, true),
        told
      )
      e:edit('f.txt', e:read('f.txt').content_hash, 'two', 'TWO')
      t.equal('an edit lands once', { 'onetyped', 'TWO' }, e:lines())
      local hover = e:lua([[
      local got
      vim.lsp.buf_request(0, 'textDocument/hover', vim.empty_dict(), function(_, result)
        got = result.contents
      end)
      return got]])
      t.equal('its abilities are its own', 'from the other server', hover)
      t.equal('no message', {}, e:lua('return notes'))
    end
  )
end
