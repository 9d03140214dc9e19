module;
#include <version>

export module shapes.core:base;
import std;
export import :detail;

export namespace shapes::inline v2 {

export class Circle {
public:
    double radius() const;
};

inline double area(const Circle &c) { return c.radius(); }

}

export int exported(int n) { return n; }

export template <typename T>
T identity(T value) { return value; }

export enum class Tone { Low, High };

export struct Plain {
    int n;
    auto &&self(this auto &&me) { return me.n; }
    static int operator()(int a) { return a; }
};

constexpr int both(int n)
{
    if consteval {
        return n;
    } else {
        return n + 1;
    }
}

class LIB_EXPORT Widget : public Base, private virtual Other<int> {
    Q_OBJECT
public:
    explicit Widget(QObject *parent = nullptr) : Base(parent), size_{1, 2} {}
    ~Widget() override;
    LIB_DEPRECATED void old();
    LIB_NODISCARD int fresh() const LIB_NOEXCEPT { return 1; }
    using Base::Base;
    using enum Tone;
    Q_PROPERTY(int size READ size)
    auto operator co_await() const noexcept;
    void *operator new(std::size_t n);
    operator std::string() const;
signals:
    void moved(int by);
private slots:
    void onMoved(int by);
    int size_[2];
};

Widget::operator std::string() const { return "w"; }

LIB_BEGIN_NAMESPACE

template <typename... Ts> struct overloaded : Ts... { using Ts::operator()...; };
template <typename... Ts> overloaded(Ts...) -> overloaded<Ts...>;

template <>
struct std::hash<Plain> {
    size_t operator()(const Plain &p) const noexcept { return p.n; }
};

template <typename T>
    requires(!std::is_const_v<T>) && requires(T t) { ++t; { *t } -> std::same_as<int &>; }
void advance(T &it, std::size_t n) noexcept(noexcept(++it))
{
    while (n--) ++it;
}

LIB_END_NAMESPACE

Task<int> chain(Task<int> first)
{
    auto [a, b] = split(co_await first);
    auto generic = []<typename T>(T t) static mutable { return t; };
    co_return generic(a) + b;
}

LIB_INLINE_FN std::vector<int>
filled(int n)
{
    return std::vector<int>(n, n);
}

auto trailing(int n) -> decltype(n + 1);
static constinit std::atomic<int> live{0};
template <typename T> inline constexpr bool always_false = false;

namespace short_name = shapes::inline_v2;

void last() { }
