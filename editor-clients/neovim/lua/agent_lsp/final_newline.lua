--- Edits that add or remove a text's final line end.
---
--- For Neovim that is no line but the option 'endofline', which undo does not know. So the change
--- is remembered with its place in the undo history, and taken back or made again when undo passes
--- that place. An edit that removes the line end also switches 'fixendofline' off for the buffer,
--- or the next `:write` would put it back.

local M = {}

---@class agent_lsp.Ending
---@field endofline boolean
---@field fixendofline boolean

---@class agent_lsp.Flip
---@field seq integer undo sequence number of the edit
---@field before agent_lsp.Ending
---@field after agent_lsp.Ending

---@param bufnr integer
---@return agent_lsp.Ending
local function get(bufnr)
  return { endofline = vim.bo[bufnr].endofline, fixendofline = vim.bo[bufnr].fixendofline }
end

---@param bufnr integer
---@param ending agent_lsp.Ending
local function set(bufnr, ending)
  vim.bo[bufnr].endofline = ending.endofline
  vim.bo[bufnr].fixendofline = ending.fixendofline
end

--- Gives the buffer a final line end or takes it, inside the edit's undo step. The last line is
--- written once more as it is, so that there is a step even if nothing else changed.
---@param doc agent_lsp.Doc
---@param final boolean
function M.set(doc, final)
  local before = get(doc.bufnr)
  local last = vim.api.nvim_buf_get_lines(doc.bufnr, -2, -1, true)
  vim.api.nvim_buf_set_lines(doc.bufnr, -2, -1, true, last)
  set(doc.bufnr, { endofline = final, fixendofline = final and before.fixendofline })
  doc.pending_flip = before
end

--- The edit's undo step is complete: notes its number.
---@param doc agent_lsp.Doc
function M.done(doc)
  local before = doc.pending_flip
  if before then
    doc.pending_flip = nil
    doc.undo_seq = vim.fn.undotree(doc.bufnr).seq_cur
    doc.undo_last = doc.undo_seq
    table.insert(doc.flips, { seq = doc.undo_seq, before = before, after = get(doc.bufnr) })
  end
end

--- Follows undo and redo past the remembered edits. A new change after undoing makes the undone
--- ones another branch: forgotten.
---@param doc agent_lsp.Doc
function M.follow(doc)
  if #doc.flips == 0 or doc.pending_flip then
    return
  end
  local tree = vim.fn.undotree(doc.bufnr)
  local from, to = doc.undo_seq, tree.seq_cur
  if tree.seq_last > doc.undo_last then
    doc.flips = vim.tbl_filter(function(flip)
      return flip.seq <= from
    end, doc.flips)
  end
  doc.undo_seq, doc.undo_last = to, tree.seq_last
  for i = 1, #doc.flips do
    local flip = doc.flips[to < from and #doc.flips + 1 - i or i]
    if to < flip.seq and flip.seq <= from then
      set(doc.bufnr, flip.before)
    elseif from < flip.seq and flip.seq <= to then
      set(doc.bufnr, flip.after)
    end
  end
end

return M
