%% @doc Tides, and who waits for them.
-module(tides).
-behaviour(gen_server).

-include("harbour.hrl").
-export([start_link/1, low/1, sum/1]).
-export_type([tide/0, handle/0]).

-define(DEPTH, 12).
-define(LOG(Text, Args), io:format(Text ++ "~n", Args)).
-ifdef(TEST).
-define(WAIT, 10).
-else.
-define(WAIT, 1000).
-endif.

%% What is known of one.
-record(tide, {
    level = 0 :: integer(),
    at :: erlang:timestamp()
}).
-record(state, {tides = [], name}).

-type tide() :: #tide{}.
-type level() :: low | high | {between, integer()}.
-opaque handle() :: pid().

-callback init(Args :: term()) -> {ok, term()}.
-callback handle_tide(tide()) -> ok.

%% Starts it.
-spec start_link(atom()) -> {ok, pid()}.
start_link(Name) ->
    gen_server:start_link({local, Name}, ?MODULE, [Name], []).

init([Name]) ->
    process_flag(trap_exit, true),
    {ok, #state{name = Name}}.

handle_call({get, N}, _From, State) when N > 0 ->
    {reply, lists:nth(N, State#state.tides), State};
handle_call(stop, _From, State) ->
    {stop, normal, ok, State};
handle_call(_, _, State) ->
    {reply, error, State}.

handle_cast(_Msg, State) -> {noreply, State}.

%% Whether it is low. Says "low(X) -> no".
-spec low(tide()) -> boolean().
low(#tide{level = L}) when L < ?DEPTH, L >= 0; L =:= none ->
    true;
low(_) ->
    false.

sum([]) -> 0;
sum([H | T]) ->
    H + sum(T).

'quoted name'(X) ->
    F = fun(Y) -> Y * 2 end,
    G = fun Loop(0) -> done; Loop(N) -> Loop(N - 1) end,
    G(F(X)).

wait() ->
    receive
        {tide, #tide{} = T} ->
            ?LOG("~p", [T]),
            wait();
        stop ->
            ok
    after ?WAIT ->
        timeout
    end.

parse(Text) ->
    try list_to_integer(Text) of
        N when N > 0 -> {ok, N}
    catch
        error:badarg:Stack -> {error, Stack};
        throw:_ -> error
    after
        ok
    end.

maybe_low(X) ->
    maybe
        {ok, A} ?= parse(X),
        {ok, B} ?= parse(A),
        {ok, A + B}
    else
        error -> none
    end.

texts() ->
    """
    three(quotes) -> no.
    """.

bits(<<Size:16/big, Rest:Size/binary>>) ->
    << <<B:8>> || <<B:8>> <= Rest, B > $a >>.

maps(M) ->
    #{low => 1, high := V} = M,
    [{K, V} || K := V <- M].

low_test() -> ?assert(low(#tide{level = 1})).
