-- Texts that take a while to send.
return function(t)
  local line = ('x'):rep(99) .. '\n'
  local files = { ['big.log'] = line:rep(20000), ['wide.txt'] = ('ä'):rep(600000) .. '\n' }
  t.with_editor('a large file', { files = files }, function(e)
    e:lua([[
      wire = {}
      local ours = require('agent_lsp.client')
      local prepare = ours.prepare
      function ours.prepare(client)
        local notify = client.rpc.notify
        client.rpc.notify = function(method, params)
          local list = params.unsynced and #params.unsynced
          wire[#wire + 1] = list and ('%s %d'):format(method, list) or method
          return notify(method, params)
        end
        prepare(client)
      end]])
    e:open('big.log')
    e:type('ggItyped <Esc>')
    t.equal('its text is what was typed', 'typed ' .. line, e:read('big.log').content:sub(1, 106))
    local told = e:lua('return vim.list_slice(wire, 1, 4)')
    t.equal('reads are told that it is coming', {
      'agent/tabs 1',
      'textDocument/didOpen',
      'agent/tabs 0',
      'agent/documentState',
    }, told)
    t.equal('Neovim copies it for nobody', 0, #e:sent('textDocument/didOpen'))
    e:open('wide.txt')
    t.equal('characters of two bytes, too', ('ä'):rep(5), e:read('wide.txt').content:sub(1, 10))
  end)
end
