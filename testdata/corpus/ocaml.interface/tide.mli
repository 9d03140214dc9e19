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
