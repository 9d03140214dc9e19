(* OCaml 5: effects, labelled tuples, and attributes here and there. *)

type _ Effect.t += Ask : string -> int Effect.t

let ask name = Effect.perform (Ask name)

let run f =
  match f () with
  | v -> v
  | effect Ask name, k -> Effect.Deep.continue k (String.length name)

let point ~x ~y = (~x, ~y)

let raw = {sql|
let not_code x = x
|sql}

let half_typed x =
  match x with

let after y = y + 1

type after = { y : int }
