package org.example.weather

import scala.concurrent.{ExecutionContext, Future}
import scala.util.Try

/** A reading of one instrument.
  *
  * @param celsius what it says
  */
final case class Reading(station: String, celsius: Double, at: Long = 0L) {
  require(station.nonEmpty)

  def fahrenheit: Double = celsius * 9 / 5 + 32
  lazy val isFrost: Boolean = celsius <= 0
  def +(other: Reading): Reading = copy(celsius = celsius + other.celsius)
}

object Reading {
  // Below it nothing is.
  val Zero, Absolute = -273.15
  private[weather] var count: Int = 0
  val (low, high) = (-40.0, 50.0)

  implicit val ordering: Ordering[Reading] = Ordering.by(_.celsius)

  def apply(line: String): Option[Reading] = {
    def number(text: String): Option[Double] = Try(text.toDouble).toOption
    val parts = line.split(';')
    for {
      name <- parts.headOption
      value <- parts.lift(1).flatMap(number)
    } yield new Reading(name, value)
  }

  implicit class Degrees(val value: Double) extends AnyVal {
    def degC : Double = value
    def in(unit: Unit): String = s"$value ${unit}"
  }

  implicit def toDouble(r: Reading): Double = r.celsius
}

trait Instrument[-In, +Out] extends Serializable { self: Named =>
  type Scale <: Double
  type Pair[A] = (A, A)
  val name: String
  var unit: String = "K"

  @throws[java.io.IOException]
  def read(in: In)(implicit ec: ExecutionContext): Future[Out]

  // Only for those that can be set right.
  protected def calibrate[T <: In: Ordering](
      values: Seq[T],
      by: Double = 1.0
  ): Unit = {
    val middle = values.size / 2
    values.sorted.drop(middle)
    ()
  }

  def reset() { unit = "K" }
}

sealed abstract class Weather(val code: Int, private var label: String)
case object Sunny extends Weather(1, "sunny")
case object Rain extends Weather(2, "rain") {
  override def toString: String = "☂"
}

@SerialVersionUID(7L)
class Station @Inject() (val place: String, height: Int = 0)(implicit ec: ExecutionContext)
    extends Instrument[Unit, Reading]
    with Named {
  def this() = this("nowhere")
  def this(height: Int) = {
    this("hill", height)
  }

  private val log = LoggerFactory.getLogger(classOf[Station])
  override val name: String = place

  override def read(in: Unit)(implicit ec: ExecutionContext): Future[Reading] = Future {
    val value = math.random()
    class Local(val x: Double) { def twice: Double = x * 2 }
    Reading(place, new Local(value).twice)
  }

  def `odd name`(xs: Int*): Int = xs.sum

  def unary_! : Boolean = false

  def describe(weather: Weather): String = weather match {
    case Sunny => "fine"
    case w @ Rain if w.code > 1 =>
      """def fake = 1
        |class Fake
        |""".stripMargin
    case _ => "?"
  }

  object Sensors {
    val all: List[String] = Nil
    object Inner { def id = 1 }
  }

  val runner = new Runnable {
    override def run(): Unit = println(name)
  }
}

private[weather] trait Named {
  def name: String
}

package object tools {
  type Temperatures = Map[String, Double]
  def mean(xs: Double*): Double = xs.sum / xs.size
}

class StationSpec extends AnyFunSuite {
  test("reads something") {
    assert(new Station().name == "nowhere")
  }

  test("is never cold", Slow) {
    assert(true)
  }

  describe("a station") {
    it("has a name") { assert(true) }
  }
}

object Main extends App {
  val (station, _) = (new Station(3), 1)
  println(station.describe(Rain))
}
