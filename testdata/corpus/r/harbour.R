# A harbour, in base R and S4.

.onLoad <- function(libname, pkgname) {
  op <- options()
}

PIERS <- list(
  north = list(length = 10, f = function(x) x),
  south = NULL
)

pier_new <- function(name,
                     length = 10,
                     ...) {
  structure(list(name = name, length = length), class = "pier")
}

format.pier <- function(x, ...) paste0("<", x$name, ">")
summary.pier <- function(object, ...) {
  if (object$length > 10) {
    note <- "long"
  }
  note
}

`length<-.pier` <- function(x, value) {
  x$length <- value
  x
}

setClass("Ship", slots = c(name = "character"), contains = "numeric")
setGeneric("sail", function(x, ...) standardGeneric("sail"))
setMethod("sail", signature("Ship"), function(x, ...) {
  x@name
})

compose <- function(...) {
  fs <- list(...)
  function(x) Reduce(function(acc, f) f(acc), fs, x)
}

run <- \(x) {
  x |>
    sapply(FUN = \(y) y + 1) |>
    sum()
}

for (i in 1:3) {
  made <- i
}

pi2 <- pi * 2
