#!/usr/bin/env lua
--- Keeps what a workshop has on its shelves.
-- A module table with methods, closures and a small class system.

local M = {}
local insert, remove = table.insert, table.remove

--- The most that a shelf takes.
local LIMIT <const> = 64
local log <close> = require("workshop.log")

M.VERSION = "2.1"
M.units = { "piece", "metre", "kilogram" }

-- Counts what was ever stored.
local stored = 0

DEBUG = false

--- Makes a class.
-- @param parent table|nil
-- @return table
local function class(parent)
  local c = {}
  c.__index = c
  if parent then
    setmetatable(c, { __index = parent })
  end

  function c.new(...)
    local self = setmetatable({}, c)
    if self.init then
      self:init(...)
    end
    return self
  end

  return c
end

--[[ An item on a shelf.
     It knows its name, its unit and how many there are. ]]
local Item = class()

function Item:init(name, unit, count)
  self.name = name
  self.unit = unit or "piece"
  self.count = count or 0
end

function Item:take(n)
  if n > self.count then
    return nil, ("only %d %s of %s"):format(self.count, self.unit, self.name)
  end
  self.count = self.count - n
  return n
end

-- Two items are the same if their names are.
Item.__eq = function(a, b) return a.name == b.name end

Item.__tostring = function(self)
  return self.name .. " × " .. self.count
end

local Tool = class(Item)
M.Item, M.Tool = Item, Tool

function Tool:init(name)
  Item.init(self, name, "piece", 1)
  self.on_return = function(when)
    self.last = when
  end
end

function Tool:lend(to) self.holder = to end

--- A shelf.
M.Shelf = class()

function M.Shelf:init(label)
  self.label = label
  self.items = {}
end

function M.Shelf:put(item)
  if #self.items >= LIMIT then
    error("shelf " .. self.label .. " is full", 2)
  end
  insert(self.items, item)
  stored = stored + 1
  return self
end

-- Goes over the items
-- in the order of their names.
function M.Shelf:each()
  local sorted = {}
  for _, item in ipairs(self.items) do
    insert(sorted, item)
  end
  table.sort(sorted, function(a, b)
    return a.name < b.name
  end)

  local i = 0
  local function step()
    i = i + 1
    return sorted[i]
  end
  return step
end

local handlers = {
  put = function(shelf, name)
    return shelf:put(Item.new(name))
  end,

  -- Takes one away.
  ["take one"] = function(shelf, name)
    for item in shelf:each() do
      if item.name == name then return item:take(1) end
    end
  end,

  nested = {
    list = function(shelf) return shelf.items end,
  },
  depth = 3,
}

function M.run(shelf, command, ...)
  local handler = handlers[command]
  if not handler then
    return nil, "no such command: " .. command
  end
  return handler(shelf, ...)
end

M["run all"] = function(shelf, commands)
  for _, c in ipairs(commands) do
    M.run(shelf, table.unpack(c))
  end
end

-- forward declaration
local weigh

local function total(shelf)
  local sum = 0
  for item in shelf:each() do
    sum = sum + weigh(item)
  end
  return sum
end

weigh = function(item)
  return item.count * (item.weight or 1)
end

M.total = total

--[==[
function not_code()
  return "in a comment ]] still"
end
]==]

do
  local cache = {}

  --- Memoizes by name.
  function M.cached(name)
    cache[name] = cache[name] or { name = name }
    return cache[name]
  end
end

if DEBUG then
  function M.dump(shelf)
    for item in shelf:each() do print(item) end
  end
end

local text = [[
function also_not_code() end
]]

M.proxy = setmetatable({}, {
  __index = function(_, key)
    return rawget(M, key)
  end,
  __call = function(_, ...) return M.run(...) end,
})

function M.find(shelf, name)
  for _, item in ipairs(shelf.items) do
    if item.name ~= name then
      goto continue
    end
    do return item end
    ::continue::
  end
end

return M
