package app.inventory;

import static java.util.stream.Collectors.*;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.Target;
import java.util.*;
import java.util.function.Function;

/**
 * Keeps what is in the store — Lagerbestände.
 *
 * @param <K> what things are known by
 */
@SuppressWarnings({
    "unchecked", // old callers
    "rawtypes"
})
@Audited(
        by = "store",
        levels = {1, 2})
public final class Inventory<K extends Comparable<K>> implements Iterable<Inventory.Item>, AutoCloseable {

    /** How many a shelf holds. */
    public static final int SHELF_SIZE = 12;
    private static final Map<String, Integer> PRICES = new HashMap<>(), DISCOUNTS = Map.of("a", 1);

    private final Map<K, Item> items = new TreeMap<>();
    protected volatile int count, removed[];
    @Deprecated
    Function<? super K, String> hook = key -> {
        return "key " + key;
    };

    static {
        PRICES.put("paper", 3);
    }

    {
        count = 0;
    }

    // Nothing is in it at first.
    public Inventory() {
        this(0);
    }

    @SafeVarargs
    protected <T extends K> Inventory(int hint, T... keys) throws IllegalArgumentException {
        if (hint < 0) throw new IllegalArgumentException("hint < 0");
    }

    /**
     * Finds an item.
     */
    @Override
    public Optional<Item> find(final K key) {
        return Optional.ofNullable(items.get(key));
    }

    abstract static class Node<T>
            extends AbstractList<T>
            implements Comparable<Node<T>> {
        T value;
        Node<T> next;

        Node(T value) { this.value = value; }

        abstract int weight();
        native void sync();

        @Override public int compareTo(Node<T> other) { return weight() - other.weight(); }

        class Inner {
            void touch() {}
        }
    }

    /** One thing and how many there are. */
    public record Item(String name, int amount, @Nullable Color color) implements Comparable<Item> {
        static final Item NONE = new Item("", 0, null);

        public Item {
            Objects.requireNonNull(name);
            if (amount < 0) {
                throw new IllegalArgumentException();
            }
        }

        Item(String name) { this(name, 1, null); }

        @Override
        public int compareTo(Item o) {
            return name.compareTo(o.name);
        }

        static <T> Item of(T of) { return new Item(of.toString()); }
    }

    record Pair<A, B>(A first, B second) {}

    public enum Color implements Function<String, String> {
        RED,
        /** Like grass. */
        GREEN("g") {
            @Override
            public String apply(String s) {
                return "green " + s;
            }
        },
        @Deprecated BLUE("b", 3);

        private final String code;

        Color(String... code) {
            this.code = String.join(",", code);
        }

        public String apply(String s) { return code + s; }
    }

    enum Empty {}

    sealed interface Shape permits Circle, Square {
        double PI = 3.14159;

        double area();

        default String describe() {
            return switch (this) {
                case Circle(var r) when r > 100 -> "large";
                case Circle c -> "circle";
                case Square s -> {
                    yield "square";
                }
            };
        }

        static Shape unit() { return new Circle(1); }
        private void log() {}
    }

    record Circle(double radius) implements Shape {
        public double area() { return PI * radius * radius; }
    }

    non-sealed class Square implements Shape {
        double side = 1;

        @Override
        // a comment in between
        public double area() { return side * side; }
    }

    @Retention(java.lang.annotation.RetentionPolicy.RUNTIME)
    @Target({ElementType.TYPE, ElementType.METHOD})
    public @interface Audited {
        String by() default "nobody";

        int[] levels() default {};

        int LEVEL_MAX = 9;
    }

    public Iterator<Item> iterator() {
        class Walk {
            int at;

            boolean done() { return at >= count; }
        }
        record Step(int n) {}
        final Walk walk = new Walk();
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return !walk.done();
            }

            @Override
            public Item next() {
                var text = """
                    class NotAClass {
                        void notAMethod() {}
                    }
                    """;
                return new Item(text);
            }
        };
    }

    public int[] legacy(int a)[] { return new int[0][a]; }

    @Override
    public void close() {}
}

class Helper {
    private Helper() {}

    static <K, V extends Comparable<? super V>>
    Map.Entry<K, V>
    largest(Map<K, V> of) {
        return of.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow();
    }
}
