-- workspace/applyEdit, property by property: any edits of any text land exactly, `u` takes back
-- these edits and nothing else, and both times the server's text is the buffer's.
return function(t, editor)
  local ROUNDS = 40

  local PIECES = { '', 'a', 'be', 'é', '😀', 'x y', 'long line of words' }

  --- A text of some lines, each ended by `ending`, but for the last perhaps.
  local function a_text(random, ending, final)
    local lines = {}
    for i = 1, random(5) do
      lines[i] = PIECES[random(#PIECES)]
    end
    local text = table.concat(lines, ending)
    if text == '' then
      return ''
    end
    return final and text .. ending or text
  end

  --- Byte offsets between characters, none inside a CRLF unless `split`.
  local function places(text, ending)
    local found = {}
    for _, start in ipairs(vim.str_utf_pos(text)) do
      local inside = ending == '\r\n' and text:sub(start - 1, start) == '\r\n'
      if not inside then
        found[#found + 1] = start - 1
      end
    end
    found[#found + 1] = #text
    return found
  end

  --- One to three edits in order, as byte ranges of the text.
  local function some_edits(random, text, ending)
    local free = places(text, ending)
    local edits, from = {}, 1
    for _ = 1, random(3) do
      if from > #free then
        break
      end
      local first = from + random(#free - from + 1) - 1
      local last = math.min(#free, first + random(4) - 1)
      edits[#edits + 1] = { free[first], free[last], a_text(random, ending, random(2) == 1) }
      from = last + 1
    end
    return edits
  end

  local function position(text, offset, ending, encoding)
    local line, at = 0, 1
    while true do
      local _, stop = text:find(ending, at, true)
      if not stop or stop > offset then
        break
      end
      line, at = line + 1, stop + 1
    end
    local prefix = text:sub(at, offset)
    return { line = line, character = vim.str_utfindex(prefix, encoding) }
  end

  local function expected_text(text, edits)
    for i = #edits, 1, -1 do
      local edit = edits[i]
      text = text:sub(1, edit[1]) .. edit[3] .. text:sub(edit[2] + 1)
    end
    return text
  end

  local function to_lsp(text, edits, ending, encoding)
    return vim.tbl_map(function(edit)
      local range = {
        start = position(text, edit[1], ending, encoding),
        ['end'] = position(text, edit[2], ending, encoding),
      }
      return { range = range, newText = edit[3] }
    end, edits)
  end

  local function round(e, random, number, ending, encoding)
    local name = ('r%d.txt'):format(number)
    local text = a_text(random, ending, random(3) > 1)
    local edits = some_edits(random, text, ending)
    local expected = expected_text(text, edits)
    editor.write(e:path(name), text)
    e:open(name)
    e:lua(
      'vim.bo.fixendofline = false; vim.bo.fileformat = ...',
      ending == '\n' and 'unix' or 'dos'
    )
    local doc = e:document()
    local answer = e:apply(doc.uri, doc.version, to_lsp(text, edits, ending, encoding), encoding)
    local facts = { text = text, edits = edits, answer = answer }
    local function same(what, want)
      facts[what] = { want = want, wrote = e:would_write(), mirrored = e:read(name).content }
      return facts[what].wrote == want and facts[what].mirrored == want
    end
    local ok = answer.applied == true and same('edited', expected)
    if ok and expected ~= text then
      e:type('u')
      ok = same('undone', text)
      e:type('<C-r>')
      ok = ok and same('done again', expected)
    end
    e:lua("vim.cmd('bwipeout!')")
    return ok, facts
  end

  local function rounds(name, seed, ending, encoding)
    t.with_editor(name, {}, function(e)
      local random = editor.randomly(seed)
      for number = 1, ROUNDS do
        local ok, facts = round(e, random, number, ending, encoding)
        if not ok then
          t.check(name, false, facts)
          return
        end
      end
      t.check(('%s: %d rounds land, undo and redo exactly'):format(name, ROUNDS), true)
    end)
  end

  for seed = 1, tonumber(vim.env.AGENT_LSP_SEEDS or 1) do
    rounds('edits of LF texts in utf-8', seed, '\n', 'utf-8')
    rounds('edits of CRLF texts in utf-8', seed + 100, '\r\n', 'utf-8')
    rounds('edits of LF texts in utf-16', seed + 200, '\n', 'utf-16')
    rounds('edits of CRLF texts in utf-32', seed + 300, '\r\n', 'utf-32')
  end
end
