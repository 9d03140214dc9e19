// geometry.cpp - shapes, a small heap and what goes with them.

#include <algorithm>
#include <concepts>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#define GEO_CHECK(cond) \
    do { if (!(cond)) throw ::geo::Error(#cond); } while (0)
#define GEO_EPSILON 1e-9

namespace geo {

using namespace std::literals;
using std::string;

class Canvas;
struct Error : std::runtime_error { using std::runtime_error::runtime_error; };

/// Anything that can be added and compared.
template <typename T>
concept Addable = requires(T a, T b) {
    { a + b } -> std::convertible_to<T>;
    a == b;
};

template <class T> concept Number = std::integral<T> || std::floating_point<T>;

constexpr double kPi = 3.14159265358979;
inline constexpr int kMax{64};
const std::string kName = "geo";
extern thread_local int depth;
static int counter = 0, spare;

enum class Side : unsigned char {
    Left = 1,
    Right,  // the other
};

enum { kAnonymous = 3 };

using Index = std::size_t;
template <typename T>
using List = std::vector<T, std::allocator<T>>;
typedef void (*Callback)(int, void *);
typedef struct { int w, h; } Size;

/**
 * A point, or a vector: Ортогональный базис.
 */
template <Number T = double>
struct Point final {
    T x{}, y{};
    static constexpr Point origin() { return {}; }
    static constexpr int dimensions = 2;
    static inline int made = 0;

    constexpr Point() = default;
    explicit constexpr Point(T x, T y) noexcept : x(x), y{y} { ++made; }
    template <Number U>
    Point(const Point<U> &other)
        : x(other.x), y(other.y)
    {
    }

    Point &operator+=(const Point &other);
    auto operator<=>(const Point &) const = default;
    [[nodiscard]] T operator[](Index i) const { return i ? y : x; }
    explicit operator bool() const { return x || y; }
    friend std::ostream &operator<<(std::ostream &out, const Point &p)
    {
        return out << p.x << ',' << p.y;
    }
};

template <Number T>
Point<T> &Point<T>::operator+=(const Point<T> &other)
{
    x += other.x;
    y += other.y;
    return *this;
}

// Shapes are drawn, moved and measured.
class Shape {
public:
    Shape() = delete;
    explicit Shape(std::string name) : name_(std::move(name)) {}
    Shape(const Shape &) = delete;
    Shape &operator=(Shape &&) noexcept = default;
    virtual ~Shape();

    virtual double area() const = 0;
    virtual void draw(Canvas &on) const;
    const std::string &name() const & { return name_; }

    struct Style {
        unsigned colour : 24;
        bool filled = false;
        enum Join { Mitre, Round };
    };

protected:
    using Base = Shape;
    friend class Canvas;
    mutable std::unique_ptr<Style> style_;

private:
    std::string name_;
    static const int limit_ = 8;
    void (*hook_)(Shape &) = nullptr;
};

Shape::~Shape() = default;

void Shape::draw(Canvas &on) const
{
    struct Pen { int width; };
    auto line = [&](int n) { return n + depth; };
    line(Pen{1}.width);
}

namespace {

int hidden(int n) { return n * 2; }

}  // namespace

}  // namespace geo

namespace geo::detail::heap {

template <typename T, typename Compare = std::less<T>>
    requires std::totally_ordered<T>
class Heap : private std::vector<T> {
  public:
    using value_type = T;
    void push(T value);
    T pop() requires std::movable<T>;
    template <typename... Args> void emplace(Args &&...args) { push(T(std::forward<Args>(args)...)); }
    class Iterator;
  private:
    Compare less_;
};

template <typename T, typename Compare>
    requires std::totally_ordered<T>
void Heap<T, Compare>::push(T value)
{
    this->push_back(std::move(value));
}

template <typename T, typename Compare>
class Heap<T, Compare>::Iterator {
    T *at;
};

// Whole numbers need no comparing object.
template <>
class Heap<int> {
    int small[4];
    ~Heap() { }
};

}

extern "C" {
int geo_version(void);
void geo_log(const char *text) { std::cerr << text; }
}

extern "C" double geo_area(const void *shape);

template <typename T> requires geo::Number<T>
[[nodiscard]] constexpr auto sum(std::initializer_list<T> all) -> T
{
    T total{};
    for (auto v : all) total += v;
    return total;
}

template <> inline int sum<int>(std::initializer_list<int> all) { return int(all.size()); }

consteval int square(int n) { return n * n; }

bool operator==(const geo::Size &a, const geo::Size &b) { return a.w == b.w; }
long double operator""_deg(long double d) { return d * geo::kPi / 180; }

int main(int argc, char **argv) try {
    geo::Point p{1.0, 2.0};
    auto text = R"cpp(
        class NotAClass { void not_a_method(); };
    )cpp";
    return sum({argc, 1}) + static_cast<int>(p[0]);
} catch (const geo::Error &e) {
    return 1;
}
