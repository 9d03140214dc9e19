defmodule Harbour.TidesTest do
  use ExUnit.Case, async: true
  use ExUnitProperties

  doctest Harbour.Tides

  @moduletag :tides
  @fixture "test/fixtures/levels.csv"

  setup do
    start_supervised!(Harbour.Tides)
    :ok
  end

  describe "leave?/2" do
    setup [:north, :south]

    # Deep ships wait.
    @tag :slow
    @tag timeout: 60_000
    test "waits for the water", %{north: north} do
      refute Harbour.Tides.leave?(north, 4)
      ship = %{depth: 3}
      assert ship.depth == 3
    end

    test "not implemented yet"

    property "never leaves on sand" do
      check all depth <- positive_integer() do
        assert is_boolean(Harbour.Tides.leave?(level(), depth))
      end
    end
  end

  for gauge <- [:north, :south] do
    test "knows #{gauge}" do
      assert {:ok, _} = Harbour.Tides.next(unquote(gauge))
    end
  end

  test ~s(says "no") do
    :ok
  end

  defp level(opts \\ []) do
    struct!(Harbour.Tides, opts)
  end

  defp north(_context), do: [north: level(level: 1.0)]
end
