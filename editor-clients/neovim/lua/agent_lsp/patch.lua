--- Unified diffs of one file, put on a list of lines, or taken back from it: what a review shows
--- beside the present text.

local M = {}

local CONTEXT = 3 -- lines that the server puts around a change

---@class agent_lsp.Hunk
---@field old_start integer from 1
---@field new_start integer from 1
---@field old string[]
---@field new string[]

---@param diff string
---@return agent_lsp.Hunk[]
function M.hunks(diff)
  local hunks = {} ---@type agent_lsp.Hunk[]
  local hunk ---@type agent_lsp.Hunk?
  for line in vim.gsplit((diff:gsub('\n$', '')), '\n', { plain = true }) do
    local old, new = line:match('^@@ %-(%d+),?%d* %+(%d+),?%d* @@')
    local sign = line:sub(1, 1)
    if old then
      hunk = { old_start = tonumber(old), new_start = tonumber(new), old = {}, new = {} }
      hunks[#hunks + 1] = hunk
    elseif hunk and (sign == '-' or sign == ' ') then
      table.insert(hunk.old, line:sub(2))
    end
    if hunk and not old and (sign == '+' or sign == ' ') then
      table.insert(hunk.new, line:sub(2))
    end
  end
  return hunks
end

---@param lines string[]
---@param at integer from 1
---@param wanted string[]
---@return boolean
local function stands(lines, at, wanted)
  for i, line in ipairs(wanted) do
    if lines[at + i - 1] ~= line then
      return false
    end
  end
  return true
end

--- The place nearest to `guess` where the lines stand.
---@param lines string[]
---@param guess integer from 1
---@param wanted string[]
---@return integer?
local function find(lines, guess, wanted)
  for distance = 0, #lines do
    for _, at in ipairs({ guess - distance, guess + distance }) do
      if at >= 1 and at + #wanted - 1 <= #lines and stands(lines, at, wanted) then
        return at
      end
    end
  end
end

--- How many lines two lists have in common at their start, or at their end.
---@param a string[]
---@param b string[]
---@param last boolean
---@return integer
local function common(a, b, last)
  local count = 0
  while count < math.min(#a, #b) do
    local i, j = count + 1, count + 1
    if last then
      i, j = #a - count, #b - count
    end
    if a[i] ~= b[j] then
      break
    end
    count = count + 1
  end
  return count
end

--- Puts one hunk in its place. Where the lines around it changed since, fewer of them will do.
---@param lines string[]
---@param guess integer from 1
---@param from string[]
---@param to string[]
---@return string[]? lines
---@return integer shift of what comes after
local function put(lines, guess, from, to)
  for less = 0, CONTEXT do
    local lead = math.min(less, common(from, to, false))
    local short_from, short_to = vim.list_slice(from, lead + 1), vim.list_slice(to, lead + 1)
    local trail = math.min(less, common(short_from, short_to, true))
    short_from = vim.list_slice(short_from, 1, #short_from - trail)
    short_to = vim.list_slice(short_to, 1, #short_to - trail)
    local at = (less == 0 or #short_from > 0) and find(lines, guess + lead, short_from)
    if at then
      local result = vim.list_slice(lines, 1, at - 1)
      vim.list_extend(result, short_to)
      vim.list_extend(result, vim.list_slice(lines, at + #short_from))
      return result, at - guess - lead + #to - #from
    end
  end
  return nil, 0
end

--- The lines with the diff made, or with `back` undone; nil when they are not what it was made for.
---@param lines string[]
---@param diff string
---@param back? boolean
---@return string[]?
function M.apply(lines, diff, back)
  local result, shift = lines, 0
  for _, hunk in ipairs(M.hunks(diff)) do
    local from, to, start = hunk.old, hunk.new, hunk.old_start
    if back then
      from, to, start = hunk.new, hunk.old, hunk.new_start
    end
    local guess = #from == 0 and start + 1 or start -- "-3,0" means after line 3
    local there, moved = put(result, guess + shift, from, to)
    if not there then
      return nil
    end
    result, shift = there, shift + moved
  end
  return result
end

--- The first changed line of the new text, from 1.
---@param diff string
---@return integer?
function M.first_line(diff)
  local hunk = M.hunks(diff)[1]
  if not hunk then
    return nil
  end
  for i, line in ipairs(hunk.new) do
    if line ~= hunk.old[i] then
      return hunk.new_start + i - 1
    end
  end
  return math.max(1, hunk.new_start)
end

return M
