package de.example.modern

import kotlin.time.Duration

/** Decides in one method. */
fun interface Rule<in T> {
    suspend fun allows(value: T): Boolean
}

fun interface Named { fun name(): String }

sealed interface Shape {
    data class Circle(val radius: Double) : Shape
    data object Empty : Shape
}

fun grid(width: Int): List<Int> {
    val cells = mutableListOf<Int>()
    for (x in 0..<width) {
        cells += x
    }
    return cells
}

fun describe(shape: Shape, limits: IntRange): String = when (shape) {
    is Shape.Circle if shape.radius > 10 -> "large"
    is Shape.Circle -> when (shape.radius.toInt()) {
        in limits -> "fits"
        !in 0..<100 -> "huge"
        else -> "small"
    }
    Shape.Empty -> "empty"
}

context(log: Logger)
fun logged(text: String) {
    log.info(text)
}

@JvmInline
value class Meters(val amount: Double) {
    operator fun rangeUntil(other: Meters): Range = Range(this, other)
}

abstract class Worker(
    private val rules: List<Rule<Int>>,
) {
    val names: List<String>
        field = mutableListOf<String>()

    abstract suspend fun work(): Duration

    fun after(): Int {
        val text = $$"""costs $5 and $${rules.size}"""
        return text.length
    }
}

private inline val Worker.size: Int
    get() = names.size

fun last() = Unit
