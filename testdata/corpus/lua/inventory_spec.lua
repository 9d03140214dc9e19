local inventory = require "inventory"

describe("inventory", function()
  local shelf

  before_each(function()
    shelf = inventory.Shelf.new("A")
  end)

  -- The first that is put is the first that is there.
  it("puts items", function()
    shelf:put(inventory.Item.new("nail"))
    assert.are.equal(1, #shelf.items)
  end)

  describe('a full shelf', function()
    local function fill()
      for i = 1, 64 do shelf:put(inventory.Item.new("item " .. i)) end
    end

    it("refuses more", function()
      fill()
      assert.has_error(function() shelf:put({}) end)
    end)

    pending("tells how many are too many", function() end)
  end)

  context("a tool", function()
    it([[knows who has it]], function() end)
    test("comes back", function()
    end)
  end)
end)

insulate("without a log", function()
  it("is quiet", function() assert.truthy(true) end)
end)
