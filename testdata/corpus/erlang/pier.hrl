%% What piers have in common.
-ifndef(PIER_HRL).
-define(PIER_HRL, true).

-record(pier, {
    name       :: binary(),
    length = 0 :: non_neg_integer(),
    ships = [] :: [ship()]
}).

%% A ship.
-record(ship, {name, tonnage = 1}).

-type ship() :: #ship{}.
-type side() :: north | south.

-define(IS_LONG(P), (P#pier.length > 100)).
-define(EMPTY, #pier{name = <<>>}).

-endif.
