package syntax

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// keywordCases are texts in languages without a grammar: what is found in
// them, a definition a line.
var keywordCases = map[string]struct{ source, want string }{
	"ada": {`
with Ada.Text_IO;
-- Keeps the tides.
package body Tides is
   type Level is new Integer;
   function High (At : Hour) return Level is
   begin
      if At > 6 then
         return 3;
      end if;
      return 1;
   end High;

   procedure Print (L : Level) is
      procedure Line is
      begin
         null;
      end Line;
   begin
      Line;
   end Print;
end Tides;
`, `
2-21 module Tides
4-4 class Level in Tides
5-11 function High in Tides
13-20 function Print in Tides
14-17 function Line in Print`},
	"asciidoc": {`
= The book

== First
text
=== Inner

----
== no heading
----

== Second
`, `
1-11 string The book
3-9 string First in The book
5-9 string Inner in First
11-11 string Second in The book`},
	"asm": {`
; Adds.
add_two:
    mov eax, [esp]
.loop:
    jnz .loop
    ret
main:
    call add_two
`, `
1-6 function add_two
7-8 function main`},
	"awk": {`
# Sums.
function sum(a, b) {
    return a + b
}
BEGIN { print sum(1, 2) }
`, `
1-4 function sum
5-5 function BEGIN`},
	"bat": {`
@echo off
:build
rem compile
cl main.c
:: Cleans.
:clean
del *.obj
`, `
2-4 function build
5-7 function clean`},
	"clojure": {`
(ns harbour.core)
;; The depth.
(def depth 12)
(defn low?
  "Tells low water."
  [tide]
  (let [x \( y "("]
    (< tide depth)))
(defmacro when-low [& body]
  (do body))
(defn half
(defrecord Ship [name])
`, `
1-1 namespace harbour.core
2-3 constant depth
4-8 function low?
9-10 function when-low
11-11 function half
12-12 struct Ship`},
	"cmake": {`
project(harbour VERSION 1.0)
set(SOURCES
  a.c)
function(add_pier name)
  if(name)
    message("x")
  endif()
endfunction()
add_library(tides ${SOURCES})
`, `
1-1 module harbour
2-3 variable SOURCES
4-8 function add_pier
9-9 object tides`},
	"coffeescript": {`
class Ship
  constructor: (@name) ->
    @depth = 1
  sail: (to) ->
    go to

float = (x) ->
  x
`, `
1-5 class Ship
2-3 method constructor in Ship
4-5 method sail in Ship
7-8 function float`},
	"crystal": {`
# A pier.
class Pier < Place
  def depth : Int32
    @x.map do |y|
      y
    end
  end

  def self.open; end
end
module Harbour
  enum Side
    North
  end
end
`, `
1-10 class Pier
3-7 method depth in Pier
9-9 method open in Pier
11-15 module Harbour
12-14 enum Side in Harbour`},
	"d": {`
module app;
struct Point {
    int x;
    this(int x) { this.x = x; }
    double length() const { return x; }
}
/// Sums.
int sum(T)(T[] all) {
    foreach (a; all) { }
    return 0;
}
`, `
2-6 struct Point
4-4 constructor this in Point
5-5 method length in Point
7-11 function sum`},
	"diff": {`
diff --git a/x.go b/x.go
--- a/x.go
+++ b/x.go
@@ -1 +1 @@
-a
+b
diff --git a/y.go b/y.go
--- a/y.go
+++ b/y.go
@@ -1 +1 @@
`, `
1-6 file x.go
7-10 file y.go`},
	"elisp": {`
;; Docs.
(defun tide-low (x)
  "Low \"water\"."
  (if x 1 2))
(defvar tide-depth 3)
`, `
1-4 function tide-low
5-5 variable tide-depth`},
	"erlang": {`
-module(tides).
-record(tide, {level, at}).
%% Sums.
-spec sum([integer()]) -> integer().
sum([]) -> 0;
sum([H | T]) ->
    H + sum(T).

half(X) when X > 1 ->
    X div 2.
`, `
2-2 struct tide
3-7 function sum
9-10 function half`},
	"fish": {`
# Greets.
function greet --argument name
    if test -n "$name"
        echo "hello ($name"
    end
end
function bye; echo bye; end
`, `
1-6 function greet
7-7 function bye`},
	"fortran": {`
module tides
implicit none
type :: level
  real :: x
end type level
contains
! Sums.
pure function total(a) result(b)
real, intent(in) :: a
if (a > 1) then
b = a
end if
end function total
subroutine show(a)
do i = 1, 3
end do
end subroutine
end module tides
program main
end program
`, `
1-18 module tides
3-5 struct level in tides
7-13 function total in tides
14-17 function show in tides
19-20 function main`},
	"fsharp": {`
module Tides

/// A level.
type Level =
    | High
    | Low
    member this.Name = "x"

let depth = 3
[<Literal>]
let limit = 4
let rec sum a b =
    a + b
`, `
1-13 module Tides
3-7 class Level in Tides
7-7 method Name in Level
9-9 constant depth in Tides
10-11 constant limit in Tides
12-13 function sum in Tides`},
	"glsl": {`
#version 330
uniform vec3 sun;
struct Light { vec3 at; };
// Shades.
vec3 shade(in vec3 n) {
    return n;
}
void main() { }
`, `
3-3 struct Light
4-7 function shade
8-8 function main`},
	"go.mod": {`
// The guide.
module example.org/harbour

go 1.24

require (
	example.org/tides v1.2.0
)
`, `
1-2 module example.org/harbour
4-4 key 1.24`},
	"graphql": {`
"""
A ship.
"""
type Ship implements Node {
  id: ID!
  piers(first: Int): [Pier!]
}
enum Side { NORTH SOUTH }
input Stay {
  ship: ID!
}
query Ships($x: Int) {
  ships { id }
}
`, `
1-7 class Ship
5-5 field id in Ship
6-6 field piers in Ship
8-8 enum Side
9-11 struct Stay
10-10 field ship in Stay
12-14 function Ships`},
	"ini": {`
; General.
[general]
name = x
# the depth
depth: 2

[piers.north]
open = yes
`, `
1-5 object general
3-3 key name in general
4-5 key depth in general
7-8 object piers.north
8-8 key open in piers.north`},
	"julia": {`
module Tides
"""
    low(t)
"""
function low(t)
    for x in t
        x
    end
end
half(x) = x / 2
struct Level
    x::Int
end
Base.show(io::IO, l::Level) = print(io, l)
const LIMIT = 3
end
`, `
1-16 module Tides
2-9 function low in Tides
10-10 function half in Tides
11-13 struct Level in Tides
14-14 function show in Base
15-15 constant LIMIT in Tides`},
	"less": {`
@sand: #fff;
.pier { color: @sand; &:hover { color: red } }
.mixin(@a) {
  width: @a;
}
`, `
1-1 variable @sand
2-2 class .pier
2-2 class &:hover in .pier
3-5 class .mixin(@a)`},
	"lisp": {`
(defpackage :tides)
(defclass ship ()
  ((name)))
(defmethod sail ((s ship))
  (print "(("))
`, `
1-1 module tides
2-3 class ship
4-5 function sail`},
	"nim": {`
type
  Ship* = object
    name: string
  Side = enum
    north
# Sails.
proc sail*(s: Ship) =
  echo s.name
template half(x: int): int = x div 2
`, `
2-3 class Ship
4-5 enum Side
6-8 function sail
9-9 function half`},
	"nix": {`
{ pkgs }:
let
  version = "1.2";
  build = { src, ... }: pkgs.mkDerivation {
    inherit src;
  };
in {
  shells.default = {
    name = "x";
  };
}
`, `
3-3 key version
4-6 function build
8-10 object shells.default
9-9 key name in shells.default`},
	"objective-c": {`
#import "Ship.h"
#define LIMIT 3
@interface Ship : NSObject <Floats>
@property int depth;
- (void)sailTo:(NSString *)place fast:(BOOL)fast;
@end

@implementation Ship
// Sails.
- (void)sailTo:(NSString *)place fast:(BOOL)fast {
    if (fast) { }
}
static int helper(int a) {
    return a;
}
@end
`, `
2-2 constant LIMIT
3-6 class Ship
5-5 method sailTo in Ship
8-16 object @implementation Ship
9-12 method sailTo in @implementation Ship
13-15 function helper in @implementation Ship`},
	"pascal": {`
unit Tides;
interface
type
  TShip = class(TObject)
    FName: string;
    procedure Sail(ATo: string);
  end;
  TLevel = Integer;
implementation
{ Sails. }
procedure TShip.Sail(ATo: string);
var
  X: Integer;
begin
  if X > 1 then
  begin
    X := 2;
  end;
end;
function Half(X: Integer): Integer;
begin
  Result := X div 2;
end;
end.
`, `
4-7 class TShip
6-6 method Sail in TShip
8-8 class TLevel
10-19 function Sail in TShip
20-23 function Half`},
	"perl": {`
package Tides::Level;
use constant LIMIT => 3;

=head2 low

sub not_code {}

=cut

# Low water.
sub low {
    my ($self) = @_;
    print <<"EOT";
sub not_code {
EOT
    return $self->{x} ? 1 : 2;
}
package main;
sub main { 1 }
`, `
1-17 module Tides::Level
2-2 constant LIMIT in Tides::Level
10-17 function low in Tides::Level
18-19 module main
19-19 function main in main`},
	"powershell": {`
<#
 Gets it.
#>
function Get-Tide {
    param([string]$Name)
    if ($Name) { "}" }
}
class Ship {
    [string]$Name
    Ship([string]$n) { $this.Name = $n }
    [void] Sail([int]$to) {
        $to
    }
}
enum Side { North }
`, `
1-7 function Get-Tide
8-14 class Ship
10-10 constructor Ship in Ship
11-13 method Sail in Ship
15-15 enum Side`},
	"properties": {`
# The name.
app.name = tides
long.value = a \
  b
export KEY=1
`, `
1-2 key app.name
3-4 key long.value
5-5 key KEY`},
	"prisma": {`
model Ship {
  id Int @id
}
enum Side {
  NORTH
}
`, `
1-3 struct Ship
4-6 enum Side`},
	"r": {`
#' Low water.
low <- function(x, ...) {
  if (x > 1) {
    "a"
  }
}
LIMIT <- 3
half = function(x) x / 2
Ship <- R6Class("Ship", public = list(
  sail = function(to) {
    to
  }
))
`, `
1-6 function low
7-7 constant LIMIT
8-8 function half
9-13 class Ship
10-12 method sail in Ship`},
	"restructuredtext": {`
=====
Title
=====

First
-----
text

Inner
~~~~~

Second
------
more
`, `
1-14 string Title
5-10 string First in Title
9-10 string Inner in First
12-14 string Second in Title`},
	"scheme": {`
; Low.
(define (low x)
  (if (> x 1) #t #f))
(define limit 3)
(struct ship (name))
`, `
1-3 function low
4-4 constant limit
5-5 struct ship`},
	"scss": {`
$sand: #fff;
@mixin wide($x) { width: $x; }
.pier {
  // A comment { here
  &__light { color: $sand; }
  @media (min-width: 2em) {
    a, b { c: d }
  }
}
`, `
1-1 variable $sand
2-2 function wide
3-9 class .pier
4-5 class &__light in .pier
6-8 module @media (min-width: 2em) in .pier
7-7 class a, b in @media (min-width: 2em)`},
	"solidity": {`
/// @title A pier.
contract Pier is Base {
    event Opened(uint at);
    struct Ship { uint id; }
    constructor(uint d) { }
    function open(uint at) public returns (bool) {
        return true;
    }
    modifier onlyOwner() { _; }
}
interface Floats { function float() external; }
`, `
1-10 class Pier
3-3 event Opened in Pier
4-4 struct Ship in Pier
5-5 constructor constructor in Pier
6-8 method open in Pier
9-9 method onlyOwner in Pier
11-11 interface Floats
11-11 method float in Floats`},
	"tcl": {`
# Sails.
proc ::ship::sail {to {fast 1}} {
    if {$fast} {
        puts "x"
    }
}
namespace eval tides {
    proc low {} { return 1 }
}
`, `
1-6 function sail in ship
7-9 namespace tides
8-8 function low in tides`},
	"tex": {`
\documentclass{book}
\newcommand{\tide}[1]{#1}
\chapter{Tides \emph{here}}
text
\section*{Low}
% comment
\section{High}
`, `
2-2 function \tide
3-7 string Tides \emph{here}
5-5 string Low in Tides \emph{here}
6-7 string High in Tides \emph{here}`},
	"thrift": {`
struct Ship {
  1: string name
}
service Harbour {
  void open(1: i32 at),
  Ship get(1: i32 id);
}
`, `
1-3 struct Ship
4-7 interface Harbour
5-5 method open in Harbour
6-6 method get in Harbour`},
	"vb": {`
' A ship.
Public Class Ship
    Public Sub New(name As String)
        If name = "" Then
            Return
        End If
    End Sub
    Private Function Half(x As Integer) As Integer
        Return x / 2
    End Function
End Class
`, `
1-11 class Ship
3-7 constructor New in Ship
8-10 method Half in Ship`},
	"verilog": {`
// Adds.
module adder #(parameter W = 8) (
  input [W-1:0] a,
  output reg [W-1:0] b
);
  function automatic [W-1:0] twice(input [W-1:0] x);
    begin
      twice = x * 2;
    end
  endfunction
  always @(posedge a) begin
  end
endmodule
module top; endmodule
`, `
1-13 module adder
6-10 function twice in adder
14-14 module top`},
	"vhdl": {`
-- Adds.
entity adder is
  port (a : in bit);
end entity;
architecture rtl of adder is
  function half (x : integer) return integer is
  begin
    if x > 1 then
      return 1;
    end if;
  end function;
begin
  p : process (a) begin
  end process;
end architecture rtl;
`, `
1-4 class adder
5-15 object rtl
6-11 method half in rtl`},
	"vim": {`
" Low water.
function! s:Low(x) abort
  if a:x
    echo "endfunction"
  endif
endfunction
let g:tides_on = 1
function tides#half(x)
  return 1
endfunction
`, `
1-6 function s:Low
7-7 variable g:tides_on
8-10 function tides#half`},
	"xml": {`
<?xml version="1.0"?>
<!-- <a id="no"/> -->
<piers>
  <pier id="north" depth="2">
    <light name="red"/>
    <note><![CDATA[<x id="no">]]></note>
  </pier>
  <pier id="south"/>
</piers>
`, `
4-7 object pier#north
5-5 object light#red in pier#north
8-8 object pier#south`},
	"plaintext": {`
# Tides

Text about a class of ships, and the function of piers.

Low water
---------

- a list
# no heading: text follows
text
`, `
1-10 string Tides
5-10 string Low water in Tides`},
	"": {`
/* Sails. */
pub fn sail(to: Place) -> bool {
    true
}
class Ship {
    function float() {
        if (x) { }
    }
}
def half(x):
    return x / 2
struct Level { int x; };
`, `
1-4 function sail
5-9 class Ship
6-8 method float in Ship
10-11 function half
12-12 struct Level`},
}

// told returns what is found in src, a definition a line.
func told(language string, src []byte) string {
	s := newScanner(ByName(language), src, text.Span{End: len(src)})
	s.lexicon = lexicons()[language]()
	s.scan()
	return listed(src, s.finish())
}

func listed(src []byte, found []Definition) string {
	starts := lineStarts(src)
	line := func(o text.Offset) int {
		n := 0
		for n < len(starts) && starts[n] <= o {
			n++
		}
		return n
	}
	var b strings.Builder
	for _, d := range found {
		fmt.Fprintf(&b, "\n%d-%d %s %s", line(d.Span.Start), line(max(d.Span.Start, d.Span.End-1)), d.Kind, d.Name)
		if d.Container != "" {
			b.WriteString(" in " + d.Container)
		}
	}
	return b.String()
}

// TestKeywords holds what is found in small texts against what a person finds,
// whichever way lines end.
func TestKeywords(t *testing.T) {
	for name, c := range keywordCases {
		t.Run(name, func(t *testing.T) {
			source := strings.TrimPrefix(c.source, "\n")
			for _, end := range []string{"\n", "\r\n", "\r"} {
				src := []byte(strings.ReplaceAll(source, "\n", end))
				if got := told(name, src); got != c.want {
					t.Errorf("lines that end in %q:\ngot%s\nwant%s", end, got, c.want)
					return
				}
			}
		})
	}
}

// TestDialectsAreComplete holds the dialects against the languages.
func TestDialectsAreComplete(t *testing.T) {
	for _, l := range Languages() {
		if dialects[l.Name] == nil {
			t.Errorf("%s has no dialect", l.Name)
		}
	}
	for name := range dialects {
		if name != unknownDialect && ByName(name) == nil {
			t.Errorf("there is no language %s", name)
		}
		if !isTested(dialects[name]) {
			t.Errorf("%s is not tested", name)
		}
	}
}

// isTested tells that there is a text in a language with this dialect.
func isTested(d *dialect) bool {
	for name := range dialects {
		_, err := os.Stat(filepath.Join("..", "testdata", "corpus", name))
		if dialects[name] == d && (err == nil || keywordCases[name].source != "") {
			return true
		}
	}
	return d == nothing
}
