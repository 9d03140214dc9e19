-- nvim -l tests/references.lua DIR go|typescript [N]: asks for the references of N symbols of a
-- project, half of them with unsaved text, and compares what the tool answers with what the server
-- says when it is asked directly. Works in a copy. Environment: as run.sh.

local here = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h')
package.path = here .. '/?.lua;' .. package.path
local editor = require('editor')

local source, language, wanted = arg[1], arg[2], tonumber(arg[3]) or 20
local extension = language == 'go' and '.go' or '.ts'
local dir = editor.project({})
vim.system({ 'cp', '-r', source .. '/.', dir }):wait()
vim.system({ 'chmod', '-R', 'u+w', dir }):wait()

local e = editor.start({
  dir = dir,
  before = "vim.cmd('filetype on')",
})
e:lua(
  [[
    local language, cmd = ...
    vim.lsp.config('server', {
      cmd = cmd,
      filetypes = { language },
      root_markers = language == 'go' and { 'go.mod' } or { 'tsconfig.json' },
    })
    vim.lsp.enable('server')]],
  language,
  language == 'go' and { vim.env.GOPLS } or { vim.env.TSSERVER, '--stdio' }
)

local files = vim.fs.find(function(name, path)
  return vim.endswith(name, extension) and not path:find('node_modules', 1, true)
end, { path = dir, type = 'file', limit = math.huge })
table.sort(files)
math.randomseed(1)

--- The symbols of the current buffer that are defined with a name of their own.
local function symbols()
  return e:lua([[
    local params = { textDocument = vim.lsp.util.make_text_document_params() }
    local client = vim.lsp.get_clients({ name = 'server', bufnr = 0 })[1]
    local answer = client:request_sync('textDocument/documentSymbol', params, 20000, 0)
    local list = {}
    local function add(items)
      for _, item in ipairs(items or {}) do
        list[#list + 1] = item.selectionRange and item.selectionRange.start or nil
        add(item.children)
      end
    end
    add(answer and answer.result)
    return list]])
end

local function direct(position)
  return e:lua(
    [[
      local client = vim.lsp.get_clients({ name = 'server', bufnr = 0 })[1]
      local params = {
        textDocument = vim.lsp.util.make_text_document_params(),
        position = ...,
        context = { includeDeclaration = true },
      }
      local answer = client:request_sync('textDocument/references', params, 20000, 0)
      local found = {}
      for _, place in ipairs(answer and answer.result or {}) do
        local path = vim.uri_to_fname(place.uri)
        found[path .. ':' .. place.range.start.line + 1] = true
      end
      return vim.tbl_keys(found)]],
    position
  )
end

local asked, same, places = 0, 0, 0
while asked < wanted do
  local file = files[math.random(#files)]
  if e:lua('return vim.fn.bufloaded(...)', file) == 1 then
    e:lua('vim.cmd.buffer(vim.fn.bufnr(...))', file)
  else
    e:open(file:sub(#dir + 2))
  end
  editor.eventually(function()
    return e:lua("return #vim.lsp.get_clients({ name = 'server', bufnr = 0 })") > 0
  end, 20000)
  local list = symbols()
  if #list > 0 then
    if asked % 2 == 1 then -- unsaved text above
      e:lua("vim.api.nvim_buf_set_lines(0, 0, 0, false, { '// é unsaved' })")
      list = symbols()
    end
    local at = list[math.random(#list)]
    local line = e:lines()[at.line + 1]
    local byte = vim.str_byteindex(line, 'utf-16', at.character, false)
    local text = line:sub(byte + 1)
    if not text:find('^[%w_$]') or text:find('^function') then
      goto continue -- an anonymous function has no name to ask for
    end
    local answer
    editor.eventually(function()
      answer = e:call('references', {
        path = file:sub(#dir + 2),
        line = at.line + 1,
        text = text,
        max_results = 100000,
      })
      return not answer.pending
    end, 60000)
    local got = {}
    for _, of in ipairs(answer.files or {}) do
      for _, hit in ipairs(of.hits) do
        got[#got + 1] = dir .. '/' .. of.path .. ':' .. hit.line
      end
    end
    local expected = vim.tbl_filter(function(place)
      return vim.startswith(place, dir .. '/')
    end, direct(at))
    table.sort(got)
    table.sort(expected)
    asked, places = asked + 1, places + #expected
    if vim.deep_equal(got, expected) then
      same = same + 1
    else
      io.stdout:write(
        vim.inspect({ file, at, text, #got, #expected, answer.error, answer.notes }),
        '\n'
      )
    end
  end
  ::continue::
end
e:stop()
io.stdout:write(
  ('%d of %d symbols have the same references, %d places\n'):format(same, asked, places)
)
os.exit(same == asked and 0 or 1)
