--- What an assistant has just changed is lit for a moment and fades, so that the person sees where
--- their text moved under them.

local M = {}

local NAMESPACE = vim.api.nvim_create_namespace('agent_lsp.fresh')
local SHADES = 4
local DEFAULT_MS = 3000 -- from the change until it looks like any other text
local LIMIT = 200 -- marks of one buffer: what changes more is seen anyway

---@param number integer 24 bits of colour
---@return integer red
---@return integer green
---@return integer blue
local function split(number)
  local red, rest = math.floor(number / 65536), number % 65536
  return red, math.floor(rest / 256), rest % 256
end

---@param from integer
---@param to integer
---@param share number of `to`, 0 to 1
---@return integer
local function mix(from, to, share)
  local r1, g1, b1 = split(from)
  local r2, g2, b2 = split(to)
  local function between(a, b)
    return math.floor(a + (b - a) * share + 0.5)
  end
  return between(r1, r2) * 65536 + between(g1, g2) * 256 + between(b1, b2)
end

--- The groups AgentLspFresh1 (new) to AgentLspFresh4 (nearly gone), from the present colours. Those
--- that the person set stay.
local function define_shades()
  local function background(name)
    return vim.api.nvim_get_hl(0, { name = name, link = false }).bg
  end
  local normal = background('Normal') or (vim.o.background == 'dark' and 0x14161b or 0xffffff)
  local added = background('DiffAdd') or (vim.o.background == 'dark' and 0x005523 or 0xb3f6c0)
  for shade = 1, SHADES do
    local bg = mix(added, normal, (shade - 1) / SHADES)
    local group = { bg = bg, ctermbg = shade < 3 and 22 or nil, default = true }
    vim.api.nvim_set_hl(0, 'AgentLspFresh' .. shade, group)
  end
end

--- How long marks are seen, in ms; 0 for never: `vim.g.agent_lsp_fresh_ms`.
---@return integer
local function duration()
  local set = vim.g.agent_lsp_fresh_ms
  return type(set) == 'number' and math.max(0, set) or DEFAULT_MS
end

---@param bufnr integer
---@param id integer
---@param shade integer
---@return boolean there the text is still there
local function paint(bufnr, id, shade)
  local mark = vim.api.nvim_buf_get_extmark_by_id(bufnr, NAMESPACE, id, { details = true })
  if not mark[1] or mark[3].invalid then
    return false
  end
  local group = 'AgentLspFresh' .. shade
  vim.api.nvim_buf_set_extmark(bufnr, NAMESPACE, mark[1], mark[2], {
    id = id,
    end_row = mark[3].end_row,
    end_col = mark[3].end_col,
    hl_group = group,
    number_hl_group = group,
    invalidate = true,
    undo_restore = false,
    strict = false,
  })
  return true
end

---@param bufnr integer
---@param id integer
---@param shade integer
local function fade(bufnr, id, shade)
  vim.defer_fn(function()
    if not vim.api.nvim_buf_is_valid(bufnr) then
      return
    elseif shade > SHADES or not paint(bufnr, id, shade) then
      vim.api.nvim_buf_del_extmark(bufnr, NAMESPACE, id)
    else
      fade(bufnr, id, shade + 1)
    end
  end, duration() / SHADES)
end

--- Lights text that was just put in; where text only went, the line's number.
---@param bufnr integer
---@param row integer from 0
---@param col integer from 0, in bytes
---@param lines string[] what was put in there
function M.mark(bufnr, row, col, lines)
  if duration() == 0 then
    return
  end
  local marks = vim.api.nvim_buf_get_extmarks(bufnr, NAMESPACE, 0, -1, { limit = LIMIT })
  if #marks >= LIMIT then
    return
  end
  define_shades()
  local last = lines[#lines]
  -- A light that cannot be lit must not keep the edit from landing.
  local lit, id = pcall(vim.api.nvim_buf_set_extmark, bufnr, NAMESPACE, row, col, {
    end_row = row + #lines - 1,
    end_col = #lines == 1 and col + #last or #last,
    hl_group = 'AgentLspFresh1',
    number_hl_group = 'AgentLspFresh1',
    strict = false,
  })
  if lit then
    fade(bufnr, id, 2)
  end
end

return M
