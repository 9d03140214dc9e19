--- A change side by side, in one tab page, one file after the other: what is asked for, before it
--- is made, or what was made.

local calls = require('agent_lsp.calls')
local notice = require('agent_lsp.notice')
local patch = require('agent_lsp.patch')
local sync = require('agent_lsp.sync')
local view = require('agent_lsp.view')

local M = {}

---@class agent_lsp.Sides
---@field path string as the server names it
---@field before string[]
---@field after string[]
---@field text? string of a change that waits: the proposal as the file would hold it
---@field asked? string[] the same as lines
---@field eol? string of the proposal's text
---@field last? string line end of its last line

---@class agent_lsp.Page A tab page that shows one file of several.
---@field list agent_lsp.Sides[]
---@field titles {before: string, after: string}
---@field editable? boolean the right side may be changed
---@field maps fun(bufnr: integer) sets the keys of a buffer
---@field at integer place in the list
---@field tab? integer
---@field windows? integer[] left and right

--- Where a path of the server's is; relative ones are meant below its root.
---@param path string
---@param root? string
---@return string
local function absolute(path, root)
  if vim.startswith(path, '/') or not root then
    return path
  end
  return vim.fs.joinpath(root, path)
end

--- The present text of a file, as the editor has it, else as it is on disk.
---@param path string absolute
---@return string[]
local function present(path)
  local doc = sync.find(vim.uri_from_fname(path))
  if doc then
    return vim.api.nvim_buf_get_lines(doc.bufnr, 0, -1, false)
  end
  local ok, lines = pcall(vim.fn.readfile, path)
  return ok and lines or {}
end

---@param file {path: string, diff?: string, text?: string}
---@param root? string
---@param made boolean the change is made already
---@return agent_lsp.Sides?
local function sides(file, root, made)
  local now = present(absolute(file.path, root))
  local other = file.diff and patch.apply(now, file.diff, made)
  if not other then
    return nil
  end
  local before, after = made and other or now, made and now or other
  return { path = file.path, before = before, after = after, text = file.text }
end

--- Takes over what the person has changed on the right side.
---@param page agent_lsp.Page
local function keep_text(page)
  local right = page.windows and page.windows[2]
  if page.editable and right and vim.api.nvim_win_is_valid(right) then
    local bufnr = vim.api.nvim_win_get_buf(right)
    page.list[page.at].after = vim.api.nvim_buf_get_lines(bufnr, 0, -1, false)
  end
end

---@param page agent_lsp.Page
---@param step integer
local function go(page, step)
  local at = page.at + step
  if page.list[at] then
    keep_text(page)
    page.at = at
    M.fill(page)
  else
    notice.say(step > 0 and 'this is the last file' or 'this is the first file')
  end
end

---@param page agent_lsp.Page
---@param side 'before'|'after'
---@return integer bufnr
local function buffer(page, side)
  local two = page.list[page.at]
  local bufnr = view.buffer(side .. '/' .. two.path, two[side])
  vim.bo[bufnr].syntax = vim.filetype.match({ filename = two.path }) or ''
  vim.bo[bufnr].modifiable = side == 'after' and page.editable == true
  local function map(key, run, what)
    vim.keymap.set('n', key, run, { buffer = bufnr, desc = what })
  end
  map('q', function()
    M.close(page)
  end, 'Close the review')
  map(']f', function()
    go(page, 1)
  end, 'Next file of the change')
  map('[f', function()
    go(page, -1)
  end, 'Previous file of the change')
  page.maps(bufnr)
  return bufnr
end

---@param page agent_lsp.Page
---@return string
local function place(page)
  local path = page.list[page.at].path
  local count = #page.list
  return count == 1 and path or ('%s (%d of %d, ]f [f)'):format(path, page.at, count)
end

--- Shows the file that the page is at.
---@param page agent_lsp.Page
function M.fill(page)
  vim.api.nvim_set_current_tabpage(page.tab)
  for i, side in ipairs({ 'before', 'after' }) do
    local window = page.windows[i]
    vim.api.nvim_win_set_buf(window, buffer(page, side))
    view.title(window, i == 1 and place(page) .. ': ' .. page.titles.before or page.titles.after)
    vim.api.nvim_win_call(window, vim.cmd.diffthis)
  end
  vim.api.nvim_set_current_win(page.windows[2])
  pcall(vim.cmd, 'normal! gg]c')
end

---@param page agent_lsp.Page
function M.close(page)
  keep_text(page)
  for _, window in ipairs(page.windows or {}) do
    if vim.api.nvim_win_is_valid(window) then
      pcall(vim.api.nvim_win_close, window, true)
    end
  end
end

---@param page agent_lsp.Page
local function open(page)
  vim.cmd('tab sbuffer ' .. view.buffer('review', {}))
  page.tab = vim.api.nvim_get_current_tabpage()
  local left = vim.api.nvim_get_current_win()
  vim.cmd('rightbelow vertical split')
  page.windows = { left, vim.api.nvim_get_current_win() }
  M.fill(page)
end

--- The files that can be shown side by side; says it when there are others.
---@param files {path: string, diff?: string}[]
---@param root? string
---@param made boolean
---@return agent_lsp.Sides[]
local function showable(files, root, made)
  local list = {}
  for _, file in ipairs(files) do
    local two = sides(file, root, made)
    list[#list + 1] = two
  end
  if #list < #files then
    local what = #list == 0 and 'this change cannot' or 'not all can'
    notice.say(what .. ' be shown side by side; see :AgentLsp edits')
  end
  return list
end

--- Notes what is asked for, and how its lines end, so that what the person edits can be told.
---@param two agent_lsp.Sides
local function propose(two)
  if two.asked then
    return -- it was shown before, and may be edited
  end
  local text = two.text or '\n'
  local bare = not (two.after[1] or ''):find('\r$')
  two.eol = bare and text:find('\r\n', 1, true) and '\r\n' or '\n'
  two.last = vim.endswith(text, '\n') and two.eol or ''
  two.asked = two.after
end

--- Shows a change that waits for consent; ga and gr decide there, too, and what the person changes
--- on the right side is what lands.
---@param question agent_lsp.Question
function M.question(question)
  if question.page and vim.api.nvim_win_is_valid(question.page.windows[2]) then
    M.fill(question.page)
    return
  end
  local client = vim.lsp.get_client_by_id(question.client_id)
  local consent = require('agent_lsp.consent')
  local page = question.page
    or {
      list = showable(question.params.files, client and client.root_dir, false),
      editable = true,
      at = 1,
    }
  page.titles = { before = 'now', after = 'you may edit   ga: apply   gr: reject   q: later' }
  page.maps = function(bufnr)
    local function map(key, run, what)
      vim.keymap.set('n', key, function()
        keep_text(page)
        run(question)
      end, { buffer = bufnr, desc = what })
    end
    map('ga', consent.apply, 'Apply the change')
    map('gr', consent.ask_reason, 'Reject the change')
  end
  if #page.list > 0 then
    vim.iter(page.list):each(propose)
    question.page = page
    open(page)
  end
end

---@type table<string, agent_lsp.Page> of changes that were made, by id
local pages = {}

--- Shows a change that was made, beside the text as it is now.
---@param id? string the last one without it
---@param path? string the file to begin with, as the server names it
function M.edit(id, path)
  local history = require('agent_lsp.history')
  local root = require('agent_lsp.activity').root_of(id)
  local client = calls.pick(root)
  history.find(id, function(edit)
    local page = { list = showable(edit.files, client and client.root_dir, true), at = 1 }
    page.titles =
      { before = 'before', after = ('now, with %s   gr: take back   q: close'):format(edit.id) }
    page.maps = function(bufnr)
      vim.keymap.set('n', 'gr', function()
        history.revert(edit.id)
      end, { buffer = bufnr, desc = 'Take back the change' })
    end
    for i, two in ipairs(page.list) do
      page.at = two.path == path and i or page.at
    end
    if #page.list > 0 then
      pages[edit.id] = page
      open(page)
    end
  end)
end

--- A change was taken back: what shows it would show what is not there any more.
---@param id string
function M.reverted(id)
  local page = pages[id]
  pages[id] = nil
  if page then
    M.close(page)
  end
end

--- `:AgentLsp review [id]`: what waits for consent, else the change, by default the last one.
---@param id? string
function M.show(id)
  local question = not id and require('agent_lsp.consent').waiting()
  if question then
    M.question(question)
  else
    M.edit(id)
  end
end

return M
