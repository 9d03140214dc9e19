module Modern exposing (..)


größe : Float
größe =
    2.0e3


hex =
    0xFF


escaped =
    '\u{1F600}'


unit : () -> ()
unit () =
    ()


type Ähnlich
    = Ähnlich
    | Anders


{-| The last one's name. -}
last a =
    a |> Set.toList |> (\_ -> .name a)


shader = [glsl| void main() {} |]


after ({ name } as it) = it


half x =
    if x > 2 then
