--- Our handler of workspace/applyEdit: lands the server's edits exactly, each document in one undo
--- step of its own, or not at all.
---
--- Neovim's own handler drops or shifts edits at a text's end, knows nothing of our versions, and
--- answers `applied: true` for edits it dropped.

local edits = require('agent_lsp.edits')
local final_newline = require('agent_lsp.final_newline')
local state = require('agent_lsp.state')
local sync = require('agent_lsp.sync')

local M = {}

---@class agent_lsp.Plan
---@field doc agent_lsp.Doc
---@field steps agent_lsp.Step[]

---@param bufnr integer
---@return string? reason
local function unchangeable(bufnr)
  local bo = vim.bo[bufnr]
  if bo.buftype ~= '' then
    return 'not an ordinary file buffer'
  elseif not bo.modifiable then
    return 'the buffer is not modifiable'
  elseif bo.readonly then
    return 'the buffer is read-only'
  end
end

---@param change lsp.TextDocumentEdit
---@param encoding string of positions
---@return agent_lsp.Plan? plan
---@return string? reason
local function plan(change, encoding)
  if change.kind then
    return nil, 'file operations come in requests of their own'
  end
  local target = change.textDocument
  local doc = sync.find(target.uri)
  if not doc then
    return nil, target.uri .. ' is not open in the editor'
  end
  sync.refresh(doc)
  if target.version and target.version ~= vim.NIL and target.version ~= doc.version then
    return nil, ('version %d is not the present one, %d'):format(target.version, doc.version)
  end
  local why = unchangeable(doc.bufnr)
  if why then
    return nil, why
  end
  local steps, problem = edits.plan(doc, change.edits, encoding)
  return steps and { doc = doc, steps = steps }, problem
end

---@param edit lsp.WorkspaceEdit
---@return lsp.TextDocumentEdit[]
local function document_changes(edit)
  if edit.documentChanges then
    return edit.documentChanges
  end
  local changes = {}
  for uri, list in pairs(edit.changes or {}) do
    changes[#changes + 1] = { textDocument = { uri = uri }, edits = list }
  end
  return changes
end

--- Ends the undo step that is being made, also in the middle of typing.
---@param bufnr integer
local function break_undo(bufnr)
  vim.bo[bufnr].undolevels = vim.bo[bufnr].undolevels
end

--- Undoes the edit that has just been made, as the newest undo step.
---@param doc agent_lsp.Doc
local function take_back(doc)
  vim.api.nvim_buf_call(doc.bufnr, function()
    vim.cmd('silent undo')
  end)
  final_newline.follow(doc)
end

---@param steps agent_lsp.Step[]
local function make(steps)
  for _, step in ipairs(steps) do
    step()
  end
end

--- Makes the changes of one document, or none of them.
---@param item agent_lsp.Plan
---@return boolean ok
---@return any problem
local function land(item)
  local doc = item.doc
  if #item.steps == 0 then
    return true
  end
  break_undo(doc.bufnr)
  local before = vim.api.nvim_buf_get_changedtick(doc.bufnr)
  local ok, problem = sync.batch(doc, function()
    local done, why = pcall(make, item.steps)
    break_undo(doc.bufnr)
    final_newline.done(doc)
    if not done and vim.api.nvim_buf_get_changedtick(doc.bufnr) ~= before then
      take_back(doc)
    end
    assert(done, why)
  end)
  state.update(doc)
  return ok, problem
end

---@param params lsp.ApplyWorkspaceEditParams
---@param ctx lsp.HandlerContext
---@return lsp.ApplyWorkspaceEditResult
function M.handle(params, ctx)
  local client = assert(vim.lsp.get_client_by_id(ctx.client_id))
  local changes = document_changes(params.edit)
  if #changes == 1 and changes[1].kind then
    return require('agent_lsp.files').handle(changes[1])
  end
  local plans = {} ---@type agent_lsp.Plan[]
  for i, change in ipairs(changes) do
    local item, why = plan(change, client.offset_encoding)
    if not item then
      return { applied = false, failureReason = why, failedChange = i - 1 }
    end
    plans[i] = item
  end
  for i, item in ipairs(plans) do
    local ok, problem = land(item)
    if not ok then
      for landed = i - 1, 1, -1 do
        sync.batch(plans[landed].doc, function()
          take_back(plans[landed].doc)
        end)
      end
      return { applied = false, failureReason = tostring(problem), failedChange = i - 1 }
    end
  end
  return { applied = true }
end

return M
