# Newer syntax: stepped ranges, captures, sigils of several letters, is_map_key.
defmodule Modern.Steps do
  @steps 0..100//5
  @re ~r/^def (\w+)/u

  def steps(), do: for(i <- @steps, rem(i, 2) == 0, reduce: 0, do: (acc -> acc + i))

  def template(assigns) do
    ~HTML"""
    <ul><li :for={s <- @steps}>def fake do {s} end</li></ul>
    """
  end

  def parse(%{"k" => <<a::binary-size(4), rest::bits>>} = map) when is_map_key(map, "k") do
    with {:ok, x} <- Integer.parse(a),
         true <- x in 1..9//2 do
      {x, rest, &(&1 + 1), &Modern.Steps.steps/0}
    else
      _ -> nil
    end
  end

  defp after_it(y), do: y ** 2
end
