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

let größe = 3

type%foreign t = { z : int }

let rec loop () = (* a local module, and what 5.3 brought *)
  let module M = struct let inner x = x end in
  let open struct let hidden y = M.inner y end in
  hidden 1 |> ignore; loop ()

let after y = y + 1

type after = { y : int }
