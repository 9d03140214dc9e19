defmodule Harbour.Tides do
  @moduledoc """
  Tells when the water is high.

      def not_code do
        Harbour.Tides.next(:north)
      end
  """

  use GenServer, restart: :transient

  import Bitwise, only: [band: 2]
  alias Harbour.{Berth, Clock}
  require Logger

  @behaviour Harbour.Source

  @timeout 5_000
  # Metres over the chart's zero.
  @levels %{
    low: 0.4,
    high: 3.9
  }

  @typedoc "Where the water is measured"
  @type gauge :: :north | :south | {:buoy, pos_integer()}
  @type t :: %__MODULE__{
          gauge: gauge(),
          level: float(),
          at: DateTime.t()
        }
  @typep state :: %{optional(gauge) => [t]}
  @opaque token :: binary()

  @enforce_keys [:gauge]
  defstruct [:gauge, :at, level: 0.0, tags: []]

  @doc "Called for each new level."
  @callback handle_level(level :: t, state :: term) :: {:ok, term} | {:error, term}
  @callback init_source(keyword) :: term
  @macrocallback describe(Macro.t()) :: Macro.t()
  @optional_callbacks handle_level: 2

  defguard is_high(level) when is_float(level) and level > 3.0
  defguardp is_gauge(g) when g in [:north, :south]

  defdelegate now(zone), to: Clock, as: :utc_now

  @doc """
  Starts the watch over all gauges.

  ## Options

    * `:name` - how it is known
  """
  @doc since: "0.3.0"
  @spec start_link(keyword) :: GenServer.on_start()
  def start_link(opts \\ []) do
    {name, opts} = Keyword.pop(opts, :name, __MODULE__)
    GenServer.start_link(__MODULE__, opts, name: name)
  end

  @impl true
  def init(opts), do: {:ok, %{gauges: opts[:gauges] || []}}

  @impl GenServer
  def handle_call({:level, gauge}, _from, state) when is_gauge(gauge) do
    {:reply, Map.get(state, gauge), state}
  end

  def handle_call({:forget, gauge}, _from, state),
    do: {:reply, :ok, Map.delete(state, gauge)}

  def handle_call(_other, _from, state) do
    {:reply, {:error, :unknown}, state}
  end

  # The level at which ships of a depth
  # can leave.
  @spec leave?(t, number) :: boolean
  def leave?(%__MODULE__{level: level}, depth)
      when is_number(depth) and depth >= 0 do
    level - depth > 0.5
  end

  def stop, do: GenServer.stop(__MODULE__)

  def next(gauge, opts \\ [])

  def next(:north, _opts), do: {:ok, 1}
  def next(_gauge, opts) when opts == [], do: :error

  # Joins two levels.
  def left ~> right, do: %{left | level: max(left.level, right.level)}

  defp smooth(levels) do
    average = fn list -> Enum.sum(list) / length(list) end

    levels
    |> Enum.chunk_every(3, 1, :discard)
    |> Enum.map(average)
  end

  for {name, level} <- [low: 0.4, high: 3.9] do
    @doc "The #{name} water's level."
    def unquote(:"#{name}_water")(), do: unquote(level)
  end

  defmodule Gauge do
    @moduledoc false

    defstruct name: nil,
              offset: 0

    def new(name), do: %__MODULE__{name: name}

    defmodule Reading do
      defexception [:message, code: 500]

      @impl true
      def message(%{code: code}), do: "gauge failed with #{code}"
    end
  end

  @doc false
  defmacro watch(gauge, do: block) do
    quote do
      Harbour.Tides.subscribe(unquote(gauge))
      unquote(block)
    end
  end

  defmacro __using__(opts) do
    quote bind_quoted: [opts: opts] do
      @behaviour Harbour.Source

      def child_spec(arg), do: Harbour.Tides.child_spec(arg)

      defp name do
        :tide
      end
    end
  end

  defmacrop trace(expr), do: expr
end

defprotocol Harbour.Printable do
  @moduledoc "What can go on the harbour master's printer."
  @fallback_to_any true

  @type paper :: :a4 | :a5

  @doc "The lines to print."
  @spec lines(t, paper) :: [String.t()]
  def lines(value, paper)

  def title(value)
end

defimpl Harbour.Printable, for: Harbour.Tides do
  @width 40

  def lines(tides, _paper) do
    [~s(level: #{tides.level}), String.duplicate("-", @width)]
  end

  def title(_), do: "Gezeiten – überall"
end

# Numbers are printed as they are.
defimpl Harbour.Printable, for: [Integer, Float] do
  def lines(number, _), do: [to_string(number)]
  def title(number) do to_string(number) end
end

defmodule Harbour.Source do
  @doc "Opens the source."
  @callback open(term) :: {:ok, pid}
end
