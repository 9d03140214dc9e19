module Modern where

class Monad m => Logger m where
  say :: String -> m ()
  say _ = pure ()

data Tide = Tide
  { level :: !Double
  , moon  :: {-# UNPACK #-} !Int
  } deriving stock (Show)

half :: Int ->
half n = n `div` (2 +

whole :: forall a. Show a => a -> String
whole = \ x -> "{- no comment" ++ show x

char, other :: Char -> Bool
char '"' = True
char '\'' = False
char c = c == '{'

type (~>) f g = forall x. f x -> g x

last' :: [a] -> a
last' [x] = x
last' (_ : xs) = last' xs
