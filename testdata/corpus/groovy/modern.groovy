package org.example.modern

import groovy.transform.*

/** Where something is. */
@Immutable(copyWith = true)
@ToString(includeNames = true)
class Point implements Comparable<Point> {
  int x
  int y

  Point plus(Point other) { new Point(x + other.x, y + other.y) }

  @Override
  @CompileDynamic
  int compareTo(Point other) {
    x <=> other.x ?: y <=> other.y
  }
}

sealed interface Shape permits Circle, Square {}

final class Circle implements Shape {
  double radius

  Circle(double radius = 1.0d) {
    this.radius = radius
  }

  static area(Circle c) { Math.PI * c.radius**2 }
  private helper(List<? extends Shape> shapes, Map<String, List<Integer>> sizes = [:]) {
    shapes.findAll { it !in sizes.keySet() }
  }
}

@interface Marker {
}

trait Named<T extends Shape> implements Cloneable {
  String name = 'none'
  abstract T shape()
  String describe() { "$name: ${shape()?.toString() ?: 'nothing'}" }
}

enum Level implements Serializable {
  LOW(1),
  HIGH(10);

  final int value

  Level(int value) { this.value = value }

  static Level of(int value) throws IllegalArgumentException {
    values().find { it.value >= value } ?: { throw new IllegalArgumentException("$value") }()
  }
}

def <T> T first(List<T> list, @DelegatesTo(Point) Closure<T> otherwise = null) {
  list ? list[0] : otherwise?.call()
}

String kind(Object o) {
  switch (o) {
    case Integer -> 'number'
    case ~/[a-z]+/ -> 'word'
    default -> 'else'
  }
}

class ShapeSpec extends Specification {
  @Unroll('the area of #radius')
  def "the area of a circle doesn't shrink"(double radius, double area) {
    expect:
    Circle.area(new Circle(radius)) >= area

    where:
    radius || area
    1.0    || 3.1
  }

  @Timeout(5) void 'is quick'() {
    given:
    GroovyMock(Shape) {
      1 * area() >> 2
    }
  }
}
