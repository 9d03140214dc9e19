module Modern exposing (..)

import Set


type alias Empty =
    {}


half : Int ->
half x =
    if x > 2 then


whole : Float -> Float
whole x =
    x * 2.0e3


type Broken =
    | Odd
    | Even


unit : () -> ()
unit () =
    ()


escaped =
    '\u{1F600}'


last a =
    a |> Set.toList |> (\_ -> .name a)
