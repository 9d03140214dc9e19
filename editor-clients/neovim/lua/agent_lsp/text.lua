--- The text of a buffer as its file has it, or would have it if it were written now: UTF-8, with
--- line endings and without mark.
---
--- Neovim's own idea of it (`vim.lsp._buf_get_full_text`) differs from the file's for an empty
--- file, which it gives one line end, and for a file without final line end once 'fixendofline' has
--- written one.

local M = {}

---@class agent_lsp.Form How the lines of a buffer become a text.
---@field ending '\n'|'\r\n'|'\r' what ends each line
---@field final boolean whether the last line is ended too
---@field empty boolean no line at all: Neovim shows one empty line, the file has no byte

local ENDINGS = { unix = '\n', dos = '\r\n', mac = '\r' }

--- One empty line can stand for "\n" or for nothing; only the byte count tells.
---@param bufnr integer
---@return boolean
local function is_empty(bufnr)
  if
    vim.api.nvim_buf_line_count(bufnr) ~= 1
    or vim.api.nvim_buf_get_lines(bufnr, 0, 1, true)[1] ~= ''
  then
    return false
  end
  return vim.api.nvim_buf_call(bufnr, vim.fn.wordcount).bytes == 0
end

--- Whether writing the buffer adds a missing final line end.
---@param bufnr integer
---@return boolean
local function fixes_end(bufnr)
  return vim.bo[bufnr].fixendofline and not vim.bo[bufnr].binary
end

---@param bufnr integer
---@param unended boolean see agent_lsp.text.unended
---@return agent_lsp.Form
function M.form(bufnr, unended)
  local bo = vim.bo[bufnr]
  return {
    ending = bo.binary and '\n' or ENDINGS[bo.fileformat],
    final = bo.endofline or (not unended and fixes_end(bufnr)),
    empty = is_empty(bufnr),
  }
end

--- Whether the buffer's file lacks the final line end. With 'fixendofline' it will get one, but
--- only when it is written: until then the text is the file's, and afterwards 'endofline' still
--- denies what is there.
---@param bufnr integer
---@return boolean
function M.unended(bufnr)
  if vim.bo[bufnr].endofline then
    return false
  end
  local file = io.open(vim.api.nvim_buf_get_name(bufnr), 'rb')
  if not file then
    return true
  end
  file:seek('end', -math.min(4, file:seek('end')))
  local tail = file:read(4) or ''
  file:close()
  return not tail:gsub('%z', ''):find('[\r\n]$') -- in UTF-16 and UTF-32 NULs stand around it
end

---@param a agent_lsp.Form
---@param b agent_lsp.Form
---@return boolean
function M.same_form(a, b)
  return a.ending == b.ending and a.final == b.final and a.empty == b.empty
end

--- Which line ends the server should count: Neovim's lines end at the buffer's own ending only. A
--- lone CR in any other file is a character; the files where it is the ending have no LF.
---@param form agent_lsp.Form
---@return 'lf'|'any'
function M.line_rule(form)
  return form.ending == '\r' and 'any' or 'lf'
end

local lpeg = vim.lpeg
local character = lpeg.utfR(0, 0xD7FF) + lpeg.utfR(0xE000, 0x10FFFF)
local repaired = lpeg.Cs((character + lpeg.P(1) / '\239\191\189') ^ 0)
-- Most texts are ASCII but for a few characters: a run of it is one step.
local wellformed = (lpeg.R('\0\127') ^ 1 + character) ^ 0 * -1

--- UTF-8 whatever the buffer holds: bytes that are no character become U+FFFD, as JSON can carry
--- nothing else.
---@param s string
---@return string text
---@return boolean valid false when something had to be replaced
function M.utf8(s)
  if wellformed:match(s) then
    return s, true
  end
  return repaired:match(s), --[[@as string]]
    false
end

--- Lines [first, last), each with its ending. In a classic Mac file Neovim keeps an LF as CR,
--- because CR is what ends its lines.
---@param bufnr integer
---@param form agent_lsp.Form
---@param first integer
---@param last integer
---@return string text
---@return boolean valid
function M.lines(bufnr, form, first, last)
  if first == last then
    return '', true
  end
  local lines = vim.api.nvim_buf_get_lines(bufnr, first, last, true)
  if form.ending == '\r' then
    for i, line in ipairs(lines) do
      lines[i] = line:gsub('\r', '\n')
    end
  end
  lines[#lines + 1] = ''
  return M.utf8(table.concat(lines, form.ending))
end

---@param bufnr integer
---@param form agent_lsp.Form
---@return string text
---@return boolean valid
function M.read(bufnr, form)
  if form.empty then
    return '', true
  end
  local text, valid = M.lines(bufnr, form, 0, vim.api.nvim_buf_line_count(bufnr))
  return form.final and text or text:sub(1, -1 - #form.ending), valid
end

---@param text string
---@return string hash
function M.hash(text)
  return 'sha256:' .. vim.fn.sha256(text)
end

--- The address of a buffer: its file, or a name of our own while it has none.
---@param bufnr integer
---@return string
function M.uri(bufnr)
  local name = vim.api.nvim_buf_get_name(bufnr)
  if name == '' then
    return 'untitled:Untitled-' .. bufnr
  end
  return vim.uri_from_fname(name)
end

return M
