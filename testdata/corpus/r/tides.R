# Tides, as R sees them.
library(R6)

#' The deepest.
DEPTH <- 12
.cache <- new.env()
names.of <- c("low", "high")
level = 3
42 -> answer

#' Whether a tide is low.
#'
#' @param tide what is asked about
#' @export
low <- function(tide, ...) {
  if (tide > DEPTH) {
    "low <- function(not) {"
  } else if (is.na(tide)) {
    NA
  } else {
    inner <- function(x) {
      x * 2
    }
    inner(tide)
  }
}

half = function(x) x / 2

twice <- \(f, x) f(f(x))

`odd name` <- function(x = list(a = 1), y) {
  for (i in seq_along(x)) {
    y <- y |> low(i)
  }
  repeat {
    break
  }
  y
}

`%+%` <- function(a, b) paste0(a, b)

print.tide <- function(x, ...) {
  cat("<tide>\n")
  invisible(x)
}

"quoted" <- function() NULL

total <<- function(x) sum(x)

Ship <- R6Class("Ship",
  public = list(
    name = NULL,
    initialize = function(name) {
      self$name <- name
    },
    sail = function(to) {
      private$at <- to
      invisible(self)
    }
  ),
  private = list(
    at = NULL,
    log = function() cat(self$name)
  ),
  active = list(
    position = function(value) private$at
  )
)

Account <- setRefClass("Account",
  fields = list(balance = "numeric"),
  methods = list(
    deposit = function(x) {
      balance <<- balance + x
    }
  )
)

setClass("Person", representation(name = "character", age = "numeric"))

setGeneric("greet", function(object, ...) {
  standardGeneric("greet")
})

setMethod("greet", "Person", function(object, ...) {
  cat("Hello,", object@name, "\n")
})

setValidity("Person", function(object) TRUE)

raw <- r"(function(x) { )"

low$extra <- function(x) x

if (interactive()) {
  only_here <- function() 1
} else {
  only_there <- function() 2
}

local({
  helper <- function(a) a
  helper(1)
})

test_that("low water is low", {
  expect_true(low(3))
})

describe("tides", {
  it("are low", {
    expect_true(TRUE)
  })
})

server <- function(input, output, session) {
  output$plot <- renderPlot({
    plot(1:10)
  })
  observeEvent(input$go, {
    message("gone")
  })
}

shinyApp(ui = fluidPage(), server = server)
