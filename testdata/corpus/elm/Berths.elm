port module Berths exposing
    ( Model, Msg(..)
    , main
    , Tree(..)
    )

{-| Shows the berths of a harbour, and who lies where.

    notCode x =
        x + 1

@docs Model, Msg

-}

import Browser
import Dict exposing (Dict)
import Html exposing (Html, button, div, h1, li, text, ul)
import Html.Events exposing (onClick)
import Json.Decode as Decode exposing (Decoder)



-- PORTS


port save : Encode.Value -> Cmd msg


{-| What comes back from the page.
-}
port loaded : (Decode.Value -> msg) -> Sub msg



-- MODEL


{-| All that the page knows.
-}
type alias Model =
    { berths : Dict Int Berth
    , selected : Maybe Int
    , -- metres
      tide : Float
    , draft : { name : String, length : Float }
    }


type alias Berth =
    { number : Int, ship : Maybe String }


type alias Named a =
    { a | name : String }


type alias Pair a b =
    ( a, b )


type Msg
    = Select Int
      -- The ship at the berth leaves.
    | Leave { berth : Int }
    | Arrive Int String
    | Tide (Result Decode.Error Float)
    | NoOp


{-| A tree, for the list of piers.
-}
type Tree a
    = Leaf
    | Node (Tree a) a (Tree a)


type Opaque = Opaque Int


type Phantom a
    = Phantom



-- MAIN


main : Program () Model Msg
main =
    Browser.element
        { init = init
        , update = update
        , view = view
        , subscriptions = subscriptions
        }


init : () -> ( Model, Cmd Msg )
init _ =
    ( emptyModel, Cmd.none )


emptyModel : Model
emptyModel =
    { berths = Dict.empty
    , selected = Nothing
    , tide = 0
    , draft = { name = "", length = 0 }
    }


-- The deepest that a ship may be.


limit =
    4.5


pier : Int -> String
pier =
    \number ->
        "Pier " ++ String.fromInt number



-- UPDATE


update : Msg -> Model -> ( Model, Cmd Msg )
update msg ({ berths } as model) =
    case msg of
        Select number ->
            ( { model | selected = Just number }, Cmd.none )

        Leave { berth } ->
            let
                clear : Berth -> Berth
                clear b =
                    { b | ship = Nothing }

                after =
                    Dict.update berth (Maybe.map clear) berths
            in
            ( { model | berths = after }, Cmd.none )

        Arrive number ship ->
            let
                arrived =
                    Dict.insert number (Berth number (Just ship)) berths
            in
            ( { model | berths = arrived }, save (encode arrived) )

        Tide (Ok metres) ->
            ( { model | tide = metres }, Cmd.none )

        _ ->
            ( model, Cmd.none )


{-| Goes over a tree from the left.
-}
foldl : (a -> b -> b) -> b -> Tree a -> b
foldl f acc tree =
    case tree of
        Leaf ->
            acc

        Node left x right ->
            foldl f (f x (foldl f acc left)) right


subscriptions : Model -> Sub Msg
subscriptions =
    always (loaded (Decode.decodeValue tideDecoder >> Tide))


tideDecoder : Decoder Float
tideDecoder =
    Decode.field "metres" Decode.float



-- VIEW


view : Model -> Html Msg
view model =
    let
        -- one line for each berth
        line ( number, berth ) =
            li [ onClick (Select number) ] [ viewBerth berth ]

        title =
            "Hafen – " ++ String.fromFloat model.tide ++ " m"
    in
    div []
        [ h1 [] [ text title ]
        , ul [] (List.map line (Dict.toList model.berths))
        ]


viewBerth : { a | ship : Maybe String } -> Html msg
viewBerth { ship } =
    case ship of
        Just name ->
            text name

        Nothing ->
            text """
viewNothing x =
    x
"""


infix left  5 (|.) = keep
keep a b = a


withShader =
    [glsl|
    void main () { gl_FragColor = vec4(1.0); }
    |]
