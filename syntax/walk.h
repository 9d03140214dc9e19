// The walk through a tree: C, because a step through cgo costs ten times one
// here. It calls the tree-sitter that the Go binding is built with; the few
// declarations below are its published interface (tree_sitter/api.h, ABI 14).
#ifndef AGENT_LSP_WALK_H
#define AGENT_LSP_WALK_H

#include <stdbool.h>
#include <stdint.h>

typedef struct TSTree TSTree;
typedef struct { uint32_t context[4]; const void *id; const TSTree *tree; } TSNode;
typedef struct { uint32_t row, column; } TSPoint;
typedef struct {
  uint32_t start_byte, old_end_byte, new_end_byte;
  TSPoint start_point, old_end_point, new_end_point;
} TSInputEdit;

// What a rule defines, as far as the walk has to know.
enum { CLASS_NONE, CLASS_CODE, CLASS_TYPE, CLASS_DETAIL, CLASS_OTHER };

// Flags of rules.
enum { RULE_WRAP = 1, RULE_LEAD = 2, RULE_LEAF = 4, RULE_CALL = 8, RULE_JOIN = 16, RULE_EMBED = 32, RULE_TOP = 64,
       RULE_TAIL = 128, RULE_HOIST = 256, RULE_DEEP = 512, RULE_SOLID = 1024 };

// A rule. Paths are offsets into the code, 0 for none.
typedef struct {
  uint32_t name, only, unless, scope, inner, body, callee;
  uint32_t cases;  // offset into the cases
  uint16_t ncases, flags;
  uint8_t class_;
} walk_rule;

typedef struct { uint32_t path; uint32_t class_; } walk_case;

// A place in the text; end 0 for none.
typedef struct { uint32_t start, end; } walk_span;

// The kind of nodes that could not be parsed.
#define SYMBOL_ERROR 0xffff

// Flags of records.
enum { RECORD_ERROR = 1, RECORD_PART = 2, RECORD_DEFINES = 4 };

// A node of interest. Records stand in document order, parents first.
typedef struct {
  walk_span node, name, scope, inner, callee;
  uint32_t body;   // where the head ends
  uint16_t rule;   // number of the rule
  uint8_t which;   // the case that holds, 1-based; 0 for none
  uint8_t flags;
} walk_record;

// What the walk did in a node, so that the next one need not do it again where
// the text of the node is still the same. Not the node: where the library
// reuses little, it makes the same node anew.
typedef struct {
  uint32_t start, end;
  uint32_t first, count;  // of the records
  uint32_t first_statement, statements;
  uint32_t inner;  // how many memos follow that are of nodes inside
  uint16_t symbol, parent;
  uint8_t in_code, in_error, in_large;
} walk_memo;

// The part of the text that changed since.
typedef struct { uint32_t start, old_end, new_end; } walk_change;

typedef struct {
  walk_record *records;
  walk_span *statements;
  walk_memo *memos;
  uint32_t nrecords, nstatements, nmemos;
  bool cut;  // there would be more records or nodes than a walk may have
} walk_result;

// walk_tree goes through a tree. rule_of holds, for each of the nsymbols kinds
// of node, the number of its rule plus 1, or 0. before is the result for an
// earlier text, which may be empty, changed the part that is another now. The
// result's arrays are the caller's to free with walk_free.
walk_result walk_tree(TSNode root, const uint16_t *rule_of, uint32_t nsymbols, const walk_rule *rules,
                      const walk_case *cases, const uint16_t *code, walk_result before, walk_change changed);
void walk_free(walk_result r);

// walk_blocks gathers the named nodes that lie on more than one row, outermost
// first; the array is the caller's to free.
walk_span *walk_blocks(TSNode root, uint32_t *n);

// walk_around gathers the nodes around byte at, innermost last, as far as
// there is room, and returns how many.
uint32_t walk_around(TSNode root, uint32_t at, walk_span *spans, uint32_t room);

// walk_edit is ts_tree_edit with the points that the Go binding mixes up.
void walk_edit(TSNode root, TSInputEdit edit);
uint32_t walk_nodes(TSNode root);

#endif
