(** Tells when the water is high, and how deep a ship may be. *)

open Printf

module StringMap = Map.Make (String)

(* {1 Types} *)

(** Where the water is measured. *)
type gauge =
  | North  (** before the lock *)
  | South
  | Buoy of int
  | Pier of { number : int; mutable name : string }

type level = {
  gauge : gauge;
  metres : float;
  (* seconds since the start of the day *)
  mutable at : int;
}

and 'a series = 'a list

(** A tree of piers, and what hangs on it. *)
and 'a tree = Leaf | Node of 'a tree * 'a * 'a tree

type _ request =
  | Level : gauge -> float request
  | Names : string list request

type shape = [ `Round | `Long of int ]
type id
type 'a visitor = 'a -> unit
type nonrec int = int [@@deprecated "no"]

exception Too_low of float
exception Unknown = Not_found

external now : unit -> float = "tide_now" "tide_now_native" [@@unboxed]

(* {1 Values} *)

let zero = 0.4
let low, high = 0.4, 3.9
let verbose = ref false

(** [depth l] is how deep a ship may be. *)
let depth { metres; _ } = metres -. zero

let compare_levels (x : level) (y : level) : int =
  compare x.metres y.metres

let name_of = function
  | North -> "north"
  | South -> "süd"
  | Buoy n -> sprintf "buoy %d" n
  | Pier { name; _ } -> name

let twice : 'a. ('a -> 'a) -> 'a -> 'a = fun f x -> f (f x)

(** The even ones. *)
let rec evens = function
  | [] -> []
  | x :: rest -> x :: odds rest

(** And the odd ones,
    which need the even ones. *)
and odds = function [] -> [] | _ :: rest -> evens rest
and count l = List.length l

let ( let* ) o f = Option.bind o f
let ( +. ) = Stdlib.( +. )

let mean levels =
  let rec sum acc = function
    | [] -> acc
    | l :: rest -> sum (acc +. l.metres) rest
  in
  let n = List.length levels in
  if n = 0 then None
  else
    let total = sum 0. levels in
    Some (total /. float_of_int n)

let () =
  let greet name = printf "hello %s\n" name in
  greet "harbour"

let _ignored = ()

(* {1 Modules} *)

(** What can be printed. *)
module type PRINTABLE = sig
  type t

  val title : string

  (** The lines to print. *)
  val lines : t -> string list

  module Style : sig
    val bold : t -> t
  end
end

module type EMPTY = sig end

module Level : PRINTABLE with type t = level = struct
  type t = level

  let title = "level"
  let lines l = [ name_of l.gauge; string_of_float l.metres ]

  module Style = struct
    let bold l = { l with metres = Float.round l.metres }
  end
end

(** Prints what can be printed. *)
module Make (P : PRINTABLE) (_ : EMPTY) : sig
  val print : P.t -> unit
end = struct
  include P

  let print p =
    let line s = print_endline ("  " ^ s) in
    print_endline P.title;
    List.iter line (P.lines p)
end

module Printer = Make (Level) (struct end)

module rec Odd : sig
  val is : int -> bool
end = struct
  let is n = n <> 0 && Even.is (n - 1)
end

and Even : sig
  val is : int -> bool
end = struct
  let is n = n = 0 || Odd.is (n - 1)
end

(* {1 Objects} *)

class type watched = object
  val log : string list
  method changed : float -> unit
end

(** Watches a gauge. *)
class watcher (gauge : gauge) = object (self)
  val mutable seen = 0
  val limit = 3.0

  method gauge = gauge

  (** Called for each new level. *)
  method changed metres =
    seen <- seen + 1;
    if metres > limit then self#warn metres

  method private warn metres = eprintf "%f\n" metres
  method virtual_count = seen

  initializer printf "watching %s\n" (name_of gauge)
end

and ['a] box (x : 'a) = object
  method get = x
end

class virtual source = object
  method virtual next : float option
end

[@@@warning "-32"]

let%test "even" = evens [ 1; 2; 3 ] = [ 1; 3 ]

let[@inline] half x = x /. 2.

let rec last = function
  | [] -> raise Not_found
  | [ x ] -> x
  | _ :: rest -> last rest
;;

print_endline "ready"
