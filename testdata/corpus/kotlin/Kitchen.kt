@file:JvmName("Kitchen")
@file:Suppress("unused")

package de.example.kitchen

import kotlin.math.roundToInt
import kotlinx.coroutines.flow.Flow as Stream

/** How many plates there are. */
const val PLATES: Int = 24

private val log = LoggerFactory.getLogger("kitchen")
var openOrders: Int = 0
    private set(value) {
        field = value.coerceAtLeast(0)
    }
val isBusy get() = openOrders > 5

typealias Recipe = (List<Ingredient>) -> Dish

/**
 * Whoever can cook.
 */
interface Cook<in T : Ingredient> {
    val name: String
    val speed: Double get() = 1.0
    fun cook(vararg ingredients: T): Dish

    // A pause is allowed to everybody.
    fun rest(minutes: Int = 10) {
        println("$name rests for ${minutes.let { m -> "$m min" }}")
    }
}

@JvmInline
value class Grams(val amount: Int) : Comparable<Grams> {
    init {
        require(amount >= 0) { "negative: $amount" }
    }

    override fun compareTo(other: Grams) = amount - other.amount
    operator fun plus(other: Grams): Grams = Grams(amount + other.amount)
    infix fun of(what: String) = Ingredient(what, this)
}

data class Ingredient(
    val name: String,
    // measured, not guessed
    val weight: Grams,
    @Transient var fresh: Boolean = true,
)

class Shelf(val ingredients: List<Ingredient>, private var open: Boolean, size: Int = 3)

sealed class Dish(open val title: String) {
    data class Soup(override val title: String, val hot: Boolean) : Dish(title)
    class Cake(title: String) : Dish(title) {
        constructor() : this("Kuchen")

        /** With layers. */
        internal constructor(title: String, layers: Int) : this(title) {
            repeat(layers) { bake() }
        }

        private fun bake() = Unit
        inner class Slice(val angle: Double)
    }

    object Leftovers : Dish("?")
    data object Nothing : Dish("") {
        override fun toString() = "nothing"
    }

    abstract class Fried<T>(override val title: String) : Dish(title) where T : Ingredient, T : Cloneable {
        abstract val oil: T
    }
}

enum class Heat { LOW, MEDIUM, HIGH }

enum class Tool(val weight: Int) : Comparable<Tool> {
    /** Wooden. */
    SPOON(30),
    @Deprecated("blunt")
    KNIFE(120) {
        override fun sharpen(): Int { return 3 }
    },
    `PAN`(900);

    open fun sharpen(): Int = 0

    companion object {
        const val MAX = 3
        @JvmStatic
        fun heaviest(): Tool =
            values().maxBy { it.weight }
    }
}

annotation class Spicy(val level: Int = 1)

@Spicy(3)
@OptIn(
    ExperimentalStdlibApi::class,
)
open class Chef<T : Ingredient> private constructor(
    override val name: String,
    protected val helpers: MutableList<Chef<T>> = mutableListOf(),
) : Cook<T>, Iterable<Chef<T>> by helpers {
    private lateinit var apron: String
    val mood by lazy { Mood(name) }
    var stars: Int = 0
        get() = field
        set(value) {
            fun limit(x: Int) = minOf(x, 3)
            field = limit(value)
        }
    val (first, second) = helpers

    init {
        val local = name.length
        openOrders += local
    }

    override fun cook(vararg ingredients: T): Dish {
        fun heat(i: T): Heat = when {
            i.weight.amount > 500 -> Heat.HIGH
            else -> Heat.LOW
        }
        val local = ingredients.map { heat(it) }
        class Pot(val size: Int) {
            fun stir() = size
        }
        return if (local.isEmpty()) Dish.Leftovers else Dish.Cake(Pot(2).stir().toString())
    }

    suspend fun orders(from: Stream<Int>): Int {
        var sum = 0
        from.collect { sum += it }
        return sum
    }

    fun <R> Cook<T>.assist(block: Cook<T>.() -> R): R = block()

    fun listener() = object : Listener {
        override fun onOrder(number: Int) {
            println("order $number")
        }
    }

    @Deprecated("use cook") fun `cook it`() {}

    companion object Factory : Supplier<Chef<Ingredient>> {
        private const val DEFAULT_NAME = "Ömer"
        override fun get() = Chef<Ingredient>(DEFAULT_NAME)
    }
}

object Registry {
    private val chefs = mutableMapOf<String, Chef<*>>()

    operator fun get(name: String) = chefs[name]
    inline fun <reified T : Chef<*>> all(): List<T> = chefs.values.filterIsInstance<T>()
}

fun interface Taster {
    fun taste(dish: Dish): Boolean
}

// Extension functions stand alone.
fun String.shout(): String = uppercase() + "!"
fun <T> List<T>?.secondOrNull(): T? = this?.getOrNull(1)
val Chef<*>.initial: Char get() = name.first()

tailrec fun simmer(minutes: Int, heat: Heat = Heat.LOW): Int =
    if (minutes <= 0) 0
    else simmer(minutes - 1, heat)

fun report(text: String): String {
    val template = """
        fun fake() { class Fake }
        ${text.shout()}
    """.trimIndent()
    for (i in 0..3) {
        print(i)
    }
    return template
}

suspend fun main(args: Array<String>) {
    val chef = Chef.get()
    println(args.joinToString { a -> "$a: ${chef.name}" })
}
