(** Tells when the water is high. *)

(** Where the water is measured. *)
type gauge =
  | North
  | South
  | Buoy of int

type t = private {
  gauge : gauge;
  metres : float;
}

type id

exception Too_low of float

(** The chart's zero. *)
val zero : float

val depth : t -> float
(** [depth l] is how deep a ship may be. *)

val mean :
  ?weights:float list ->
  t list ->
  float option

external now : unit -> float = "tide_now"

module type PRINTABLE = sig
  type t

  val lines : t -> string list
end

(** Prints. *)
module Make (P : PRINTABLE) : sig
  val print : P.t -> unit
end

module Level : PRINTABLE with type t = t

class watcher : gauge -> object
  method changed : float -> unit
end

val ( >>= ) : 'a option -> ('a -> 'b option) -> 'b option

(** {1 What follows from levels} *)

(* A comment of nobody's, with a [val not_a_value : int] in it. *)

type 'a series = 'a list
and 'a tree = Leaf | Node of { left : 'a tree; value : 'a; right : 'a tree }

type _ request = ..
type _ request += Level : gauge -> float request

type visitor = {
  (** Called for each one. *)
  visit : t -> unit;

  mutable seen : int;  (** how many there were *)
}
[@@deriving show, eq]

exception Unknown of { name : string; line : int }

val iter : (t -> unit) -> t list -> unit
  [@@deprecated "since 2.0"]

(** Folds from the left.

    {[ fold ~init:0 (fun n _ -> n + 1) ]} *)
val fold :
  init:'acc ->
  ('acc -> t -> 'acc) -> (* the step *)
  'acc

val high : float
val compare : t -> t -> int

(** What is told when levels change. *)
module Event : sig
  type kind = Rise | Fall [@@unboxed]

  (** When, and by how much. *)
  type t = { kind : kind; by : float }

  val pp : Format.formatter -> t -> unit
  val none : t

  module Set : Set.S with type elt = t
  module Map : sig
    include Map.S with type key = t

    val of_events : t list -> float t
  end
end

module type SOURCE = functor (P : PRINTABLE) -> sig
  val next : unit -> Event.t option
end

module type ALIAS = PRINTABLE

class type watched = object
  method changed : float -> unit
  val log : string list
end

class virtual ['a] queue : int -> object
  method push : 'a -> unit
  method virtual pop : 'a option
end

include SOURCE_HELPERS
open! Format

val süd : gauge
