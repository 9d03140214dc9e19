-- Forms that came with 5.2 to 5.4, and what people write with Luau or LuaJIT.
local MAX <const>, handle <close> = 10, nil

local function search(rows)
  for i, row in ipairs(rows) do
    for j, cell in ipairs(row) do
      if cell == 0 then goto next_row end
      if cell == MAX then goto found end
    end
    ::next_row::
  end
  do return nil end
  ::found::
  return true
end

local mask = 0xFF & ~(1 << 3) // 1

function mix(a, b)
  local n <const> = a ~ b
  goto done
  ::done:: return n >> 2
end

local escape = "\u{48}\z
   ello"

local function tidy(list)
  local first = list[1]; --[[ the grammar takes no semicolon
  behind the last ]]
  if not first then return nil; end
  return first;
end

local function after() end

return { search = search, mix = mix, after = function() return after end }
