#!/usr/bin/env groovy
package org.example.brewery

import groovy.transform.CompileStatic
import groovy.transform.Field
import java.time.LocalDate as Day

@Field int poured = 0
def house = 'Zum Löwen'
final LIMIT = 12
String motto = "Prost, ${house}!"

/**
 * Pours a glass.
 *
 * @param what the beer
 */
def pour(Beer what, int times = 1) {
    def inner = { x -> x * 2 }
    times.times { poured++ }
    return inner(poured)
}

static String label(String name) { name.toUpperCase() }

// Only the strong ones.
private List<Beer> strong(List<Beer> all) {
    all.findAll { it.alcohol > 6.0 && it.name != 'class Fake {}' }
}

void empty() {}

def multi = """
    def notAFunction() {}
    class NotAClass { }
"""

def log = { String line, level = 1 ->
    println "[$level] $line"
}

@CompileStatic
class Beer {
    static final double MAX = 18.5
    String name
    private double alcohol = 4.8
    protected Day brewed
    def notes = [:]
    final List<String> tags = []

    /** From its name alone. */
    Beer(String name) {
        this(name, 4.8)
    }

    Beer(String name, double alcohol) {
        this.name = name
        this.alcohol = alcohol
    }

    boolean isStrong() {
        if (alcohol > 6) {
            return true
        }
        alcohol > 5 && tags.any { it == 'strong' }
    }

    @Override
    String toString() {
        "${name} (${alcohol} %)"
    }

    static Beer parse(String line) {
        def (name, strength) = line.split(/;/)
        new Beer(name, strength as double)
    }

    def plus(Beer other) { [this, other] }
    private <T> T convert(Class<T> type) { asType(type) }

    class Label {
        String text
        String print() { text }
    }
}

class Stout extends Beer implements Comparable<Stout>, Serializable {
    Stout() { super('Stout') }

    int compareTo(Stout other) { name <=> other.name }
}

interface Brewer {
    int BATCH = 20
    Beer brew(String recipe)
    void clean(boolean thorough)
}

trait Thirsty {
    int thirst = 3

    def drink(Beer beer) {
        thirst -= 1
        beer.name
    }
}

enum Glass {
    SMALL,
    LARGE

    int millilitres() {
        this == SMALL ? 300 : 500
    }
}

abstract class Pub<T extends Beer> implements Thirsty {
    private final Map<String, Closure> orders = [
        small: { T beer -> serve(beer, Glass.SMALL) },
        large: { T beer -> serve(beer, Glass.LARGE) },
    ]

    abstract Closure serve(T beer, Glass glass)

    // Round after round.
    protected synchronized void round(T... beers) throws IOException {
        for (beer in beers) {
            orders.large(beer)
        }
        switch (beers.size()) {
            case 0:
                break
            case 1..3:
                println 'few'
                break
            default:
                println 'many'
        }
    }

    @Deprecated def close() { orders.clear() }
}

class BeerSpec extends Specification {
    @Shared Beer beer = new Beer('Helles')

    def setup() {
        poured = 0
    }

    def "pours #times glasses"() {
        when:
        pour(beer, times)

        then:
        poured == times

        where:
        times << [1, 2, 3]
    }

    void 'is not strong'() {
        expect:
        !beer.strong
    }
}

println strong([new Beer('Bock', 7.2)]).collect { label(it.name) }
pour new Stout(), 3
