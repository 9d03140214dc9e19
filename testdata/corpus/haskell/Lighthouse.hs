{-# LANGUAGE GADTs #-}
{-# LANGUAGE LambdaCase, OverloadedStrings #-}

-- | The lights along a coast, when they burn, and who keeps them.
module Lighthouse
  ( Light (..)
  , Keeper
  , burning
  , coast
  ) where

import Control.Monad (forM_, unless, when)
import qualified Data.Map.Strict as Map
import Data.Text (Text)
import qualified Data.Text as T

infixr 5 <+>
infixl 4 `joins`

-- | How often a light shows, in seconds.
type Period = Double

type family Signal a
type instance Signal Light = [Bool]

-- | What a light looks like from the sea.
data Character
  = Fixed
  | Flashing Period
  | Occulting
      { dark :: Period   -- ^ how long it is dark
      , bright :: Period
      }
  deriving (Eq, Show)

data Colour = White | Red | Green deriving (Eq, Ord, Enum, Bounded, Show)

{- | One light.

   Its height is that of the lamp above the sea.
-}
data Light = Light
  { lightName :: Text
  , height :: Int
  , character :: Character
  , colours :: [Colour]
  }

newtype Keeper = Keeper { keeperName :: Text }
  deriving newtype (Eq, Ord)

-- An expression over lights.
data Expr a where
  Lit  :: Bool -> Expr Bool
  Not  :: Expr Bool -> Expr Bool
  If   :: Expr Bool -> Expr a -> Expr a -> Expr a

-- | What can be seen from some way off.
class Visible a where
  -- | In nautical miles.
  range :: a -> Double

  seen :: Double -> a -> Bool
  seen distance a = distance <= range a
  {-# MINIMAL range #-}

class (Visible a, Show a) => Listed a

instance Visible Light where
  range light = 2.08 * sqrt (fromIntegral (height light))

  seen distance light
    | null (colours light) = False
    | otherwise = distance < range light

instance Show Light where
  show Light { lightName = n } = T.unpack n

instance Semigroup Keeper where
  Keeper a <> Keeper b = Keeper (a <> " & " <> b)

deriving instance Eq Light

-- | The lights that burn at an hour of the day.
--
-- It is dark from eight to six.
burning :: Int -> [Light] -> [Light]
burning hour lights
  | isNight = lights
  | otherwise = []
  where
    isNight = hour >= 20 || hour < 6

-- | Beside each other.
(<+>) :: [Light] -> [Light] -> [Light]
xs <+> ys = foldr (:) ys xs

joins :: Light -> Light -> [Light]
a `joins` b = [a, b]

-- Fresnel's number for a lens of some order.
order
  :: Int
  -> Either Text Int
order n
  | n < 1 = Left "there is no such order"
order 1 = Right 920
order 2 = Right 700
order _ = Right 500

coast :: [Light]
coast =
  [ Light "Outer Skerry" 41 (Flashing 10) [White]
  , Light { lightName = "Inner", height = 12, character = Fixed, colours = [Red, Green] }
  ]

maxHeight, minHeight :: Int
maxHeight = 60
minHeight = 4

eval :: Expr a -> a
eval = \case
  Lit b -> b
  Not e -> not (eval e)
  If c t e -> if eval c then eval t else eval e

{-# INLINE shorten #-}
shorten :: Text -> Text
shorten t = case T.words t of
  [] -> ""
  (w : _) ->
    let cut = T.take 8 w
     in cut

-- | The keepers of a coast, with what they said:
-- data Nothing = Nothing
roster :: Map.Map Text Keeper -> IO ()
roster keepers = do
  forM_ (Map.toList keepers) $ \(light, keeper) -> do
    let line' = light <> ": " <> keeperName keeper
        width = T.length line'
    when (width > 72) $
      putStrLn "a long one"
    unless (T.null line') $ putStrLn (T.unpack line')
  putStrLn "no keeper\
           \ is left out"

signal :: Character -> Double -> Bool
signal Fixed _ = True
signal (Flashing p) t = t' < p / 4
  where
    t' = t - p * fromIntegral (floor (t / p) :: Int)
signal Occulting { dark = d, bright = b } t = go t
  where
    go :: Double -> Bool
    go x
      | x < d = False
      | x < d + b = True
      | otherwise = go (x - d - b)

größe'Ω :: Light -> Int
größe'Ω = height

foreign import ccall unsafe "sun_elevation"
  c_sunElevation :: Double -> Double -> IO Double

pattern Dark :: Character
pattern Dark = Flashing 0

untyped x y = x + y * 2

main :: IO ()
main = do
  roster (Map.fromList [("Outer Skerry", Keeper "Ada")])
  print (map lightName (burning 22 coast))
