#include "mended.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

enum { STATE_COUNT = 4, LEX_MODES = 12 };

// The layout of a grammar at parser ABI 14 (tree_sitter/parser.h).
typedef struct {
  uint32_t version, counts[8];
  uint16_t max_alias_sequence_length;
  const void *tables[13];
  void (*lex[2])(void);
  uint16_t keyword_capture_token;
  struct {
    const bool *states;
    const uint16_t *symbol_map;
    void *(*create)(void);
    void (*destroy)(void *);
    bool (*scan)(void *, void *, const bool *);
    unsigned (*serialize)(void *, char *);
    void (*deserialize)(void *, const char *, unsigned);
  } scanner;
  const uint16_t *primary_state_ids;
} grammar;

// What the grammar reads in a state: at ABI 15 a set of reserved words as well.
typedef struct { uint16_t lex, external; } mode;
typedef struct { uint16_t lex, external, reserved; } mode_15;

// At ABI 15 there is nothing else that is new in the part that ABI 14 has.
// Without its reserved words a grammar reads what is right as it would with
// them, and may recover elsewhere from what is not.
const void *at_abi_14(const void *language) {
  const grammar *published = language;
  if (published->version != 15) return published;
  grammar *g = malloc(sizeof *g);
  const mode_15 *from = published->tables[LEX_MODES];
  mode *to = malloc(published->counts[STATE_COUNT] * sizeof *to);
  if (!g || !to) abort();
  *g = *published;
  g->version = 14;
  for (uint32_t i = 0; i < g->counts[STATE_COUNT]; i++) to[i] = (mode){from[i].lex, from[i].external};
  g->tables[LEX_MODES] = to;
  return g;
}

extern const grammar *tree_sitter_sql(void), *tree_sitter_swift(void);

// The state of the SQL scanner begins with the tag of the open string, which
// its deserialize drops without freeing it.
static void sql_deserialize(void *state, const char *buffer, unsigned length) {
  char **tag = state;
  free(*tag);
  *tag = NULL;
  tree_sitter_sql()->scanner.deserialize(state, buffer, length);
}

void *mended_sql(void) {
  static grammar mended;
  mended = *tree_sitter_sql();
  mended.scanner.deserialize = sql_deserialize;
  return &mended;
}

// The Swift scanner keeps a uint32_t in calloc(0, sizeof(uint32_t)), past whose
// end it reads and writes; its destroy frees what is allocated here as well.
static void *swift_create(void) { return calloc(1, sizeof(uint32_t)); }

void *mended_swift(void) {
  static grammar mended;
  mended = *tree_sitter_swift();
  mended.scanner.create = swift_create;
  return &mended;
}
