package geometry

import scala.annotation.targetName
import math.{Pi, sqrt}

/** How near is near. */
val epsilon = 1e-9
var seen: Int = 0

type Predicate[A] = A => Boolean
opaque type Angle = Double

object Angle:
  def apply(d: Double): Angle = d

  extension (a: Angle)
    def degrees: Double = a * 180 / Pi
    def + (b: Angle): Angle = a + b
end Angle

// Colours by name.
enum Colour(val rgb: Int):
  case Red extends Colour(0xff0000)
  case Green extends Colour(0x00ff00)
  /** As the sky. */
  case Blue extends Colour(0x0000ff)

  def isPrimary: Boolean = this match
    case Red | Blue => true
    case _ => false

enum Tree[+A]:
  case Leaf, Stump
  case Node(left: Tree[A], value: A, right: Tree[A])

  def size: Int =
    def loop(t: Tree[A], acc: Int): Int = t match
      case Node(l, _, r) => loop(l, loop(r, acc + 1))
      case _ => acc
    loop(this, 0)
end Tree

trait Shape:
  def area: Double
  def name: String = "shape"

  /** Grown by a factor. */
  def scaled(by: Double): Shape

final case class Circle(radius: Double) extends Shape:
  def area = Pi * radius * radius

  override def scaled(by: Double): Circle =
    if by <= 0 then this
    else copy(radius * by)

case class Square(side: Double) extends Shape {
  override val name = "square"
  def area = side * side
  def scaled(by: Double) = Square(side * by)
}

trait Ord[T]:
  def compare(x: T, y: T): Int
  extension (x: T) def < (y: T) = compare(x, y) < 0

given intOrd: Ord[Int] with
  def compare(x: Int, y: Int) = x - y

given listOrd[T](using ord: Ord[T]): Ord[List[T]] with
  def compare(xs: List[T], ys: List[T]): Int =
    (xs, ys) match
      case (Nil, Nil) => 0
      case (x :: _, y :: _) => ord.compare(x, y)
      case _ => 1

given Ord[String] with
  def compare(x: String, y: String) = x.compareTo(y)

given global: Epsilon = Epsilon(epsilon)

extension (c: Circle)
  def circumference: Double = c.radius * Pi * 2
  @targetName("joined")
  def ++ (other: Circle): Circle =
    Circle(c.radius + other.radius)

extension [T](xs: List[T]) def second: Option[T] =
  xs.drop(1).headOption

class Canvas(private val width: Int, height: Int)(using Ord[Int]):
  private var shapes = Vector.empty[Shape]

  def draw(shape: Shape): Unit =
    val before = shapes.size
    shapes = shapes :+ shape
    while shapes.size > before do
      println(s"drew ${shape.name}")

  inline def clear(): Unit = shapes = Vector.empty

  transparent inline def largest(using m: Mode): Option[Shape] =
    val sorted = shapes.sortBy(_.area)
    sorted.lastOption

  object Defaults:
    val margin = 4
    class Pen(val width: Int)
end Canvas

@main def draw(args: String*): Unit =
  val canvas = Canvas(3, 4)
  args.foreach: arg =>
    canvas.draw(Circle(arg.toDouble))
  println("schön")

def area(shapes: Shape*): Double = shapes.map(_.area).sum
