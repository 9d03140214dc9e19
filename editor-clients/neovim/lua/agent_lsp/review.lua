--- A change as a diff split in a tab page of its own, one for each file: what is asked for, before
--- it is made, or what was made.

local patch = require('agent_lsp.patch')
local sync = require('agent_lsp.sync')
local view = require('agent_lsp.view')

local M = {}

local LIMIT = 10 -- tab pages that a change opens

---@class agent_lsp.Sides
---@field path string as the server names it
---@field before string[]
---@field after string[]

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

---@param file {path: string, diff?: string}
---@param root? string
---@param made boolean the change is made already
---@return agent_lsp.Sides?
local function sides(file, root, made)
  local now = present(absolute(file.path, root))
  local other = file.diff and patch.apply(now, file.diff, made)
  if not other then
    return nil
  end
  return { path = file.path, before = made and other or now, after = made and now or other }
end

--- Opens the tab page.
---@param two agent_lsp.Sides
---@param titles {before: string, after: string}
---@return integer[] buffers both sides
local function open(two, titles)
  local filetype = vim.filetype.match({ filename = two.path })
  local before = view.buffer('before/' .. two.path, two.before)
  local after = view.buffer('after/' .. two.path, two.after)
  vim.cmd('tab sbuffer ' .. before)
  view.title(0, two.path .. ': ' .. titles.before)
  vim.cmd('rightbelow vertical sbuffer ' .. after)
  view.title(0, titles.after)
  for _, bufnr in ipairs({ before, after }) do
    vim.bo[bufnr].syntax = filetype or ''
    vim.keymap.set('n', 'q', '<Cmd>tabclose<CR>', { buffer = bufnr, desc = 'Close the review' })
  end
  vim.cmd('windo diffthis')
  pcall(vim.cmd, 'normal! gg]c')
  return { before, after }
end

--- Opens a tab page for each file that can be shown side by side.
---@param files {path: string, diff?: string}[]
---@param root? string
---@param titles {before: string, after: string}
---@param made boolean
---@return integer[] buffers
local function open_all(files, root, titles, made)
  local buffers, first = {}, nil
  for i = 1, math.min(#files, LIMIT) do
    local two = sides(files[i], root, made)
    if two then
      vim.list_extend(buffers, open(two, titles))
      first = first or vim.api.nvim_get_current_tabpage()
    end
  end
  if first then
    vim.api.nvim_set_current_tabpage(first)
  end
  if #buffers < 2 * #files then
    local what = #buffers == 0 and 'this change cannot' or 'not all can'
    require('agent_lsp.notice').say(what .. ' be shown side by side; see :AgentLsp edits')
  end
  return buffers
end

--- Shows a change that waits for consent; ga and gr decide there, too.
---@param question agent_lsp.Question
function M.question(question)
  local client = vim.lsp.get_client_by_id(question.client_id)
  local root = client and client.root_dir
  local titles = { before = 'now', after = 'asked for   ga: apply   gr: reject   q: later' }
  local buffers = open_all(question.params.files, root, titles, false)
  local consent = require('agent_lsp.consent')
  for _, bufnr in ipairs(buffers) do
    vim.keymap.set('n', 'ga', consent.apply, { buffer = bufnr, desc = 'Apply the change' })
    vim.keymap.set('n', 'gr', consent.ask_reason, { buffer = bufnr, desc = 'Reject the change' })
  end
  question.review = buffers
end

--- Shows a change that was made, beside the text as it is now.
---@param id? string the last one without it
function M.edit(id)
  local client = require('agent_lsp.calls').pick()
  require('agent_lsp.history').find(id, function(edit)
    local after = ('now, with %s   gr: take back   q: close'):format(edit.id)
    local titles = { before = 'before', after = after }
    local buffers = open_all(edit.files, client and client.root_dir, titles, true)
    for _, bufnr in ipairs(buffers) do
      vim.keymap.set('n', 'gr', function()
        vim.cmd.tabclose()
        require('agent_lsp.history').revert(edit.id)
      end, { buffer = bufnr, desc = 'Take back the change' })
    end
  end)
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
