// What older C grammars stumble over: C23, attribute macros, generated definitions.
#pragma once
#include "config.h"

constexpr int answer = 42;
constexpr unsigned limits[] = { 1, 2, 3 };
auto origin = nullptr;
static auto first = 0, second = 1;
static_assert(sizeof(int) == 4, "32 bits");
thread_local int depth;

enum colour : unsigned char {
    RED [[deprecated]],
    GREEN = 0b10,
    BLUE = 1'000,
};

[[nodiscard]]
int pick(enum colour c)
{
    typeof(c) copy = c;
    return copy == RED;
}

[[maybe_unused]] static bool flag(void) { return true; }

/* The tag and the name differ. */
typedef struct node_s {
    struct node_s *next;
    _BitInt(17) value;
    alignas(16) char buffer[32];
} node_t, *node_ptr;

EXPORT int plain(void)
{
    return 1;
}

EXPORT FORCE_INLINE unsigned long twice(unsigned long n)
{
    return n * 2;
}

LOCAL(void) wrapped(struct node_s *n)
{
    n->next = nullptr;
}

int NONNULL(1) attributed(const char *text) PURE;

static NOINLINE void *allocate(size_t n) MALLOC_LIKE;

static void __init boot(void)
{
    depth = 0;
}
EXPORT_SYMBOL(boot);
MODULE_LICENSE("GPL")

BEGIN_DECLS

void declared(int, ...);

END_DECLS

struct PACKED frame {
    uint8_t kind;
    uint16_t length ALIGNED(2);
};

struct __attribute__((packed)) header {
    int magic;
} __attribute__((aligned(8)));

int old_style(a, b)
    int a;
    char **b;
{
    return a + **b;
}

void branches(int n)
{
#ifdef FAST
    if (n > 0) {
#else
    if (n > 1) {
#endif
        depth = n;
    }
}

static int after_branches(void)
{
    return depth;
}

#if defined(A)
int either(int a)
#else
int either(int a, int b)
#endif
{
    return a;
}

int last(void) { return 0; }
