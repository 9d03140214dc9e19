import module java.base;
import java.util.*;

/// A Markdown doc comment.
void main() {
    IO.println("hello");
}

static final String NAME = "unnamed";

sealed interface Result<T> {
    record Ok<T>(T value) implements Result<T> {}
    record Failed<T>(@NonNull Throwable why, String... notes) implements Result<T> {
        Failed(Throwable why) {
            if (why == null) {
                throw new NullPointerException();
            }
            this(why, "none");
        }
    }

    default T get() {
        return switch (this) {
            case Ok<T>(var value) -> value;
            case Failed<T>(IOException _, var _) when true -> throw new IllegalStateException();
            case Failed<T>(_, _) -> null;
        };
    }
}

abstract class Patterns<@Nullable T extends Object & Comparable<? super T>> {
    ;
    static int kind(Object o) {
        return switch (o) {
            case null, default -> 0;
            case int[] a when a.length > 1 -> 1;
            case Integer i -> i;
        };
    }

    static String template(int n) {
        return STR."n is \{n + 1} and \{kind("x")}";
    }

    int primitive(Object o) {
        if (o instanceof byte b && b > 0) return b;
        if (!(o instanceof Point(int x, var y))) {
            return 0;
        }
        return x;
    }

    <X extends Exception> void lambda(@A @B(value = 3, names = {"}", "{"}) final List<@A X> l) throws @A X {
        Runnable r = () -> { class Local { void in() {} } };
        for (var _ : l) { }
        try (var _ = open(); l) { } catch (RuntimeException | Error _) { }
        l.forEach((@A var e) -> e.<String>get());
    }

    int yield(int record, int when) {
        int sealed = record, permits = when;
        return this.yield(sealed, permits);
    }

    @interface Nested { Class<? extends Enum<?>>[] value() default {}; }

    char bracket() { return '{'; } char other() { return '\u007d'; }

    void receiver(Patterns<T> this, int... rest) {}

    public record Range(int from, int to) {
        public Range {
            if (from > to) throw new IllegalArgumentException();
        }
        public static Range of(int n) { return new Range(0, n); }
        enum Kind { OPEN, CLOSED; static final int N = 2; }
    }

    record Complex(double re, double im) {
        double abs() { return Math.hypot(re, im); }
    }

    void broken() {
        int x = 1 +;
        call(a b c);
    }

    protected final void last() {}
}
