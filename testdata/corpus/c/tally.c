/*
 * tally.c - counts words in streams and keeps the heaviest of them.
 *
 * The table is open addressed; removed slots leave a grave behind, so that
 * probes do not end too early.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TALLY_VERSION "2.1"
#define TALLY_MAX_WORD 255 /* bytes, without the end */
#define TALLY_TRACE

/* Rounds up to a power of two. */
#define ROUND_UP(n, to) \
    (((n) + ((to) - 1)) & \
     ~((to) - 1))

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

#if defined(__GNUC__)
#  define TALLY_API __attribute__((visibility("default")))
#  define PRINTF_LIKE(f, a) __attribute__((format(printf, f, a)))
#else
#  define TALLY_API
#  define PRINTF_LIKE(f, a)
#endif

// The states of a slot, with their names.
#define SLOT_STATES(X)   \
    X(FREE,  "free")     \
    X(LIVE,  "live")     \
    X(GRAVE, "grave")

#define AS_ENUM(name, text) SLOT_##name,
enum slot_state { SLOT_STATES(AS_ENUM) SLOT_STATE_COUNT };
#undef AS_ENUM

#define AS_TEXT(name, text) [SLOT_##name] = text,
static const char *const state_names[] = { SLOT_STATES(AS_TEXT) };
#undef AS_TEXT

/* How loud messages are. */
typedef enum {
    TALLY_QUIET = -1,
    TALLY_INFO,     /* the default */
    TALLY_NOISY = TALLY_INFO + 8,
} tally_level;

typedef uint64_t tally_hash;
typedef int (*tally_order)(const void *left, const void *right);
typedef struct tally tally;

/**
 * One word and how often it was seen.
 */
struct word {
    tally_hash hash;
    uint32_t count, last_line;
    unsigned state : 2;
    unsigned locked : 1;
    union {
        char inline_text[16];
        char *heap_text; /* owned */
    } text;
    union {
        double weight;
        void *user;
    };
};

struct tally {
    struct word *slots;
    size_t used, size;
    tally_order order;
    void (*on_full)(tally *self, size_t wanted);
    struct {
        unsigned long probes, graves;
    } stats;
#ifdef TALLY_TRACE
    FILE *trace;
#endif
    char name[];
};

union number {
    int64_t i;
    double f;
    uint8_t bytes[8];
};

typedef struct cursor {
    tally *of;
    size_t at;
} cursor;

typedef union {
    const char *text;
    tally_hash hash;
} tally_key;

struct word;

extern int tally_debug;
extern FILE *tally_log, **tally_logs[4];

static void grow(tally *t, size_t wanted);
TALLY_API tally *tally_new(const char *name, size_t hint);
int tally_printf(tally *t, const char *format, ...) PRINTF_LIKE(2, 3);
void (*tally_set_handler(int sig, void (*handler)(int)))(int);

/* Zero unless the environment asks for more. */
int tally_debug = 0;
static struct word nothing, *last_seen = NULL;
static const size_t kFirstSize = 64;

static int
by_count(const void *left, const void *right)
{
    const struct word *a = left, *b = right;
    return (a->count < b->count) - (a->count > b->count);
}

// FNV-1a; see the table of primes below.
// Not for hostile input.
static inline tally_hash hash_of(const char *text, size_t n)
{
    tally_hash h = 14695981039346656037ULL;
    for (size_t i = 0; i < n; i++) {
        h ^= (unsigned char)text[i];
        h *= 1099511628211ULL;
    }
    return h;
}

static const unsigned primes[] = {
    53, 97, 193, 389,
    769, 1543, 3079, 6151,
};

TALLY_API tally *tally_new(const char *name, size_t hint)
{
    size_t n = ROUND_UP(hint ? hint : kFirstSize, 8);
    tally *t = calloc(1, sizeof *t + strlen(name) + 1);
    struct local_guard {
        tally *held;
    } guard = { t };
    if (!guard.held)
        return NULL;
    t->slots = calloc(n, sizeof *t->slots);
    t->size = n;
    t->order = by_count;
    strcpy(t->name, name);
    return t;
}

/* An old-style definition, kept for the tools that still read it. */
struct word *
tally_find(t, text, length)
    tally *t;
    const char *text;
    size_t length;
{
    tally_hash h = hash_of(text, length);
    for (size_t i = h & (t->size - 1);; i = (i + 1) & (t->size - 1)) {
        struct word *w = &t->slots[i];
        if (w->state == 0)
            return NULL;
        if (w->hash == h)
            return w;
        t->stats.probes++;
    }
}

__attribute__((cold, noinline))
static void grow(tally *t, size_t wanted)
{
    if (t->on_full) {
        t->on_full(t, wanted);
        return;
    }
    abort();
}

#ifdef _WIN32
static char *dup_text(const char *s) { return _strdup(s); }
#else
static char *dup_text(const char *s) { return strdup(s); }
#endif

void (*tally_set_handler(int sig, void (*handler)(int)))(int)
{
    (void)sig;
    return handler;
}

bool tally_each(tally *t,
                bool (*visit)(const struct word *w, void *user),
                void *user) {
    for (size_t i = 0; i < t->size; i++) {
        if (t->slots[i].state != SLOT_LIVE) continue;
        if (!visit(&t->slots[i], user)) return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    tally *t = tally_new("wörter", 0);
    char *copy = dup_text(argc > 1 ? argv[1] : "");
    printf("%s: %s %zu\n", state_names[0], copy, ARRAY_LEN(primes));
    free(copy);
    return t == NULL;
}
