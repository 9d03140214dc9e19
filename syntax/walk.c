#include "walk.h"
#include <stdlib.h>
#include <string.h>

typedef uint16_t TSSymbol;
typedef uint16_t TSFieldId;
typedef struct { const void *tree; const void *id; uint32_t context[3]; } TSTreeCursor;

TSSymbol ts_node_symbol(TSNode);
const char *ts_node_type(TSNode);
uint32_t ts_node_start_byte(TSNode);
uint32_t ts_node_end_byte(TSNode);
TSPoint ts_node_start_point(TSNode);
TSPoint ts_node_end_point(TSNode);
bool ts_node_is_null(TSNode);
bool ts_node_is_named(TSNode);
bool ts_node_has_error(TSNode);
TSNode ts_node_child_by_field_id(TSNode, TSFieldId);
TSNode ts_node_named_child(TSNode, uint32_t);
TSNode ts_node_parent(TSNode);
uint32_t ts_node_named_child_count(TSNode);
TSNode ts_node_child(TSNode, uint32_t);
uint32_t ts_node_child_count(TSNode);
bool ts_node_is_extra(TSNode);
uint32_t ts_node_descendant_count(TSNode);
TSTreeCursor ts_tree_cursor_new(TSNode);
void ts_tree_cursor_delete(TSTreeCursor *);
void ts_tree_cursor_reset(TSTreeCursor *, TSNode);
TSNode ts_tree_cursor_current_node(const TSTreeCursor *);
TSFieldId ts_tree_cursor_current_field_id(const TSTreeCursor *);
bool ts_tree_cursor_goto_parent(TSTreeCursor *);
bool ts_tree_cursor_goto_next_sibling(TSTreeCursor *);
bool ts_tree_cursor_goto_first_child(TSTreeCursor *);
int64_t ts_tree_cursor_goto_first_child_for_byte(TSTreeCursor *, uint32_t);
void ts_tree_edit(TSTree *, const TSInputEdit *);

// Bounds of one walk. Real files stay far below; they keep hostile ones from
// costing without end.
#define MAX_DEPTH 400
#define MAX_RECORDS 400000
#define MAX_VISITS 20000000
#define MAX_STATEMENTS 400000
#define MAX_INSIDE 300     // nodes looked at by a "//" step
#define MAX_CHILDREN 4000  // children looked at by a <kind> step
#define MAX_COMMENTS 64    // looked at, at a node's end
#define MAX_MATCHES 64     // names that one node gives
// A definition so large gets the ends of its statements recorded, because a
// window cannot always be widened to the whole of it.
#define LARGE_ROWS 500
#define LARGE_BYTES (128 << 10)

enum { OP_END, OP_ELSE, OP_FIELD, OP_FOLLOW, OP_CHILD, OP_NTH, OP_INSIDE, OP_HEAD, OP_ALL, OP_PARENT };

typedef struct {
  const uint16_t *rule_of, *code;
  uint32_t nsymbols;
  const walk_rule *rules;
  const walk_case *cases;
  TSTreeCursor scratch;
  walk_result out;
  walk_result before;
  walk_change changed;
  uint32_t *known;  // hash table of before's memos: their numbers plus 1
  uint32_t known_mask;
  uint32_t records_room, statements_room, memos_room, statements_until;
  TSNode matches[MAX_MATCHES];
  uint32_t nmatches;
  bool whole_head;  // the path asked for the head
} walker;

static const TSNode no_node;

static bool among(TSSymbol s, const uint16_t *kinds, uint16_t n) {
  for (uint16_t i = 0; i < n; i++)
    if (kinds[i] == s) return true;
  return false;
}

// child returns the first child of one of the kinds; with all it puts every
// one into matches.
static TSNode child(walker *w, TSNode node, const uint16_t *kinds, uint16_t n, bool all) {
  ts_tree_cursor_reset(&w->scratch, node);
  if (!ts_tree_cursor_goto_first_child(&w->scratch)) return no_node;
  uint32_t left = MAX_CHILDREN;
  do {
    TSNode c = ts_tree_cursor_current_node(&w->scratch);
    if (!among(ts_node_symbol(c), kinds, n)) continue;
    if (!all) return c;
    if (w->nmatches < MAX_MATCHES) w->matches[w->nmatches++] = c;
  } while (--left && ts_tree_cursor_goto_next_sibling(&w->scratch));
  return all && w->nmatches ? w->matches[0] : no_node;
}

static TSNode field(walker *w, TSNode node, TSFieldId f, const uint16_t *kinds, uint16_t n, bool all) {
  if (!all) {
    TSNode c = ts_node_child_by_field_id(node, f);
    if (ts_node_is_null(c) || n == 0 || among(ts_node_symbol(c), kinds, n)) return c;
    return no_node;
  }
  ts_tree_cursor_reset(&w->scratch, node);
  if (!ts_tree_cursor_goto_first_child(&w->scratch)) return no_node;
  uint32_t left = MAX_CHILDREN;
  do {
    if (ts_tree_cursor_current_field_id(&w->scratch) != f) continue;
    TSNode c = ts_tree_cursor_current_node(&w->scratch);
    if (!ts_node_is_named(c) || (n && !among(ts_node_symbol(c), kinds, n))) continue;
    if (w->nmatches < MAX_MATCHES) w->matches[w->nmatches++] = c;
  } while (--left && ts_tree_cursor_goto_next_sibling(&w->scratch));
  return all && w->nmatches ? w->matches[0] : no_node;
}

// inside returns the first node of one of the kinds in a subtree, in document
// order; its root only if self.
static TSNode inside(walker *w, TSNode node, const uint16_t *kinds, uint16_t n, bool self) {
  TSTreeCursor *c = &w->scratch;
  ts_tree_cursor_reset(c, node);
  uint32_t depth = 0;
  for (uint32_t left = MAX_INSIDE; left; left--) {
    TSNode at = ts_tree_cursor_current_node(c);
    if ((depth || self) && among(ts_node_symbol(at), kinds, n)) return at;
    if (ts_tree_cursor_goto_first_child(c)) {
      depth++;
      continue;
    }
    while (depth && !ts_tree_cursor_goto_next_sibling(c)) {
      ts_tree_cursor_goto_parent(c);
      depth--;
    }
    if (!depth) return no_node;
  }
  return no_node;
}

static TSNode nth(TSNode node, int16_t i) {
  int64_t count = ts_node_named_child_count(node);
  int64_t at = i < 0 ? count + i : i;
  return at < 0 || at >= count ? no_node : ts_node_named_child(node, (uint32_t)at);
}

static const uint16_t *skip_step(const uint16_t *p) {
  switch (*p) {
    case OP_FIELD: return p + 3 + p[2];
    case OP_CHILD:
    case OP_INSIDE: return p + 2 + p[1];
    case OP_FOLLOW:
    case OP_NTH: return p + 2;
  }
  return p + 1;
}

static TSNode step(walker *w, TSNode at, const uint16_t *p, bool all, bool first) {
  switch (*p) {
    case OP_FIELD: return field(w, at, p[1], p + 3, p[2], all);
    case OP_CHILD: return child(w, at, p + 2, p[1], all);
    case OP_INSIDE: return inside(w, at, p + 2, p[1], !first);
    case OP_NTH: return nth(at, (int16_t)p[1]);
    case OP_HEAD: w->whole_head = true; return at;
    case OP_PARENT: return ts_node_parent(at);
    case OP_FOLLOW:
      for (uint32_t left = MAX_DEPTH; left; left--) {
        TSNode next = ts_node_child_by_field_id(at, p[1]);
        if (ts_node_is_null(next)) break;
        at = next;
      }
      return at;
  }
  return no_node;
}

// step_each takes a step from every match and keeps those that it leads on.
static TSNode step_each(walker *w, const uint16_t *p) {
  uint32_t kept = 0, n = w->nmatches;
  for (uint32_t i = 0; i < n; i++) {
    TSNode at = step(w, w->matches[i], p, false, false);
    if (!ts_node_is_null(at)) w->matches[kept++] = at;
  }
  w->nmatches = kept;
  return kept ? w->matches[0] : no_node;
}

// follow returns where a path leads from a node, or a null node. A path that
// takes all leaves them in matches.
static TSNode follow(walker *w, TSNode node, uint32_t path) {
  const uint16_t *p = w->code + path;
  w->nmatches = 0;
  w->whole_head = false;
  for (;;) {
    TSNode at = node;
    bool all = false, first = true;
    while (*p != OP_END && *p != OP_ELSE) {
      if (*p == OP_ALL) {
        all = true;
        p++;
        continue;
      }
      if (w->nmatches) at = step_each(w, p);
      else if (!ts_node_is_null(at)) at = step(w, at, p, all, first);
      p = skip_step(p);
      first = all = false;
    }
    if (!ts_node_is_null(at) || *p == OP_END) return at;
    w->nmatches = 0;
    p++;
  }
}

static walk_span span_of(TSNode n) {
  return (walk_span){ts_node_start_byte(n), ts_node_end_byte(n)};
}

static walk_span span_at(walker *w, TSNode node, uint32_t path) {
  if (!path) return (walk_span){0, 0};
  TSNode n = follow(w, node, path);
  return ts_node_is_null(n) ? (walk_span){0, 0} : span_of(n);
}

static bool exists(walker *w, TSNode node, uint32_t path) {
  return !ts_node_is_null(follow(w, node, path));
}

// grow makes room for n elements and one more. Without memory the walk is cut.
static bool grow(walker *w, void **array, uint32_t n, uint32_t *room, size_t size) {
  if (n < *room) return true;
  uint32_t wanted = *room ? 2 * *room : 256;
  void *more = realloc(*array, wanted * size);
  if (!more) {
    w->out.cut = true;
    return false;
  }
  *array = more;
  *room = wanted;
  return true;
}

static void add_record(walker *w, walk_record r) {
  if (grow(w, (void **)&w->out.records, w->out.nrecords, &w->records_room, sizeof r)) w->out.records[w->out.nrecords++] = r;
}

static void add_statement(walker *w, walk_span s) {
  if (grow(w, (void **)&w->out.statements, w->out.nstatements, &w->statements_room, sizeof s))
    w->out.statements[w->out.nstatements++] = s;
}

static void add_memo(walker *w, walk_memo m) {
  if (grow(w, (void **)&w->out.memos, w->out.nmemos, &w->memos_room, sizeof m)) w->out.memos[w->out.nmemos++] = m;
}

static uint32_t rows(TSNode n) { return ts_node_end_point(n).row - ts_node_start_point(n).row; }

static bool is_large(TSNode n) {
  return rows(n) >= LARGE_ROWS || ts_node_end_byte(n) - ts_node_start_byte(n) > LARGE_BYTES;
}

// add_statements records the parts of a large definition that are not large
// themselves.
static void add_statements(walker *w, TSNode node) {
  uint32_t end = ts_node_end_byte(node);
  if (end <= w->statements_until || !is_large(node)) return;
  w->statements_until = end;
  TSTreeCursor *c = &w->scratch;
  ts_tree_cursor_reset(c, node);
  if (!ts_tree_cursor_goto_first_child(c)) return;
  for (uint32_t depth = 1; depth && w->out.nstatements < MAX_STATEMENTS;) {
    TSNode at = ts_tree_cursor_current_node(c);
    if (is_large(at) && depth < MAX_DEPTH && ts_tree_cursor_goto_first_child(c)) {
      depth++;
      continue;
    }
    if (ts_node_is_named(at)) add_statement(w, span_of(at));
    while (depth && !ts_tree_cursor_goto_next_sibling(c)) {
      ts_tree_cursor_goto_parent(c);
      depth--;
    }
  }
}

// add_head_error records a function from where its head is broken on several
// rows: one that is half typed takes in what follows.
static void add_head_error(walker *w, TSNode node, uint32_t body) {
  if (!ts_node_has_error(node)) return;
  uint32_t n = ts_node_named_child_count(node);
  for (uint32_t i = 0; i < n && i < 16; i++) {
    TSNode part = ts_node_named_child(node, i);
    if (ts_node_start_byte(part) >= body) return;
    if (!ts_node_has_error(part) || !rows(part)) continue;
    walk_record r;
    memset(&r, 0, sizeof r);
    r.node = (walk_span){ts_node_start_byte(part), ts_node_end_byte(node)};
    r.flags = RECORD_ERROR;
    add_record(w, r);
    return;
  }
}

// hidden_in_code tells that inside of functions a node defines nothing.
static bool hidden_in_code(const walk_rule *rule, uint8_t class_) {
  if (rule->flags & RULE_HOIST) return false;
  return class_ == CLASS_DETAIL || (rule->flags & RULE_CALL && !(rule->flags & RULE_DEEP));
}

// has_rule tells that the walk does something in nodes of a kind.
static bool has_rule(walker *w, TSSymbol s) { return s < w->nsymbols && w->rule_of[s]; }

// solid_end returns where a node ends without the comments at its end. Only
// nodes with rules are looked into.
static uint32_t solid_end(walker *w, TSNode node) {
  uint32_t end = ts_node_end_byte(node);
  for (uint32_t depth = MAX_DEPTH; depth && has_rule(w, ts_node_symbol(node)); depth--) {
    uint32_t count = ts_node_child_count(node), i = count, least = i > MAX_COMMENTS ? i - MAX_COMMENTS : 0;
    TSNode last = no_node;
    while (i > least && ts_node_is_null(last)) {
      TSNode child = ts_node_child(node, --i);
      if (!ts_node_is_extra(child)) last = child;
    }
    // What stands behind the last child without a node of its own is text.
    if (ts_node_is_null(last) || (i + 1 == count && ts_node_end_byte(last) < end)) return end;
    node = last;
    end = ts_node_end_byte(node);
  }
  return end;
}

// examine records a node that has a rule, and returns what it defines.
static uint8_t examine(walker *w, TSNode node, uint16_t number, bool in_code) {
  const walk_rule *rule = &w->rules[number];
  if (in_code && rule->flags & RULE_TOP) return CLASS_NONE;
  walk_record r;
  memset(&r, 0, sizeof r);
  r.node = span_of(node);
  r.rule = number;
  if (rule->flags & RULE_EMBED) {
    r.scope = span_at(w, node, rule->scope);
    if (r.scope.end && !in_code) add_record(w, r);
    if (!rule->name) return CLASS_NONE;
  }
  if (rule->flags & RULE_SOLID) r.node.end = solid_end(w, node);
  bool bare = rule->flags & (RULE_WRAP | RULE_LEAD | RULE_TAIL) && !rule->name;
  uint8_t class_ = rule->class_;
  for (uint16_t i = 0; i < rule->ncases; i++) {
    const walk_case *c = &w->cases[rule->cases + i];
    if (!exists(w, node, c->path)) continue;
    r.which = (uint8_t)(i + 1);
    class_ = (uint8_t)c->class_;
    break;
  }
  if (bare) {
    if (!rule->unless || !exists(w, node, rule->unless)) add_record(w, r);
    return CLASS_NONE;
  }
  if (class_ == CLASS_NONE && !(rule->flags & RULE_CALL)) return CLASS_NONE;
  if (in_code && hidden_in_code(rule, class_)) return CLASS_NONE;
  if (rule->only && !exists(w, node, rule->only)) {
    if (rule->flags & RULE_WRAP) add_record(w, r);
    return CLASS_NONE;
  }
  if (rule->unless && exists(w, node, rule->unless)) return CLASS_NONE;
  r.callee = span_at(w, node, rule->callee);
  if (rule->flags & RULE_CALL && !r.callee.end) return CLASS_NONE;
  walk_span body = span_at(w, node, rule->body);
  r.body = body.end ? body.start : r.node.end;
  r.scope = rule->flags & RULE_EMBED ? (walk_span){0, 0} : span_at(w, node, rule->scope);
  r.inner = span_at(w, node, rule->inner);
  r.flags = RECORD_DEFINES;
  if (!(rule->flags & RULE_CALL)) add_statements(w, node);
  if (class_ == CLASS_CODE) add_head_error(w, node, r.body);
  if (!rule->name) {
    add_record(w, r);
    return class_;
  }
  TSNode name = follow(w, node, rule->name);
  if (ts_node_is_null(name)) return rule->class_ == CLASS_CODE && !r.which ? CLASS_CODE : CLASS_NONE;
  if (w->whole_head) {
    r.name = (walk_span){r.node.start, r.body};
    add_record(w, r);
    return class_;
  }
  if (!w->nmatches) w->matches[w->nmatches++] = name;
  r.name = span_of(w->matches[0]);
  add_record(w, r);
  for (uint32_t i = 1; i < w->nmatches; i++) {
    if (rule->flags & RULE_JOIN) r.flags = RECORD_PART;
    r.name = span_of(w->matches[i]);
    add_record(w, r);
  }
  return class_;
}

// frame is what holds for the children of a node on the way down.
typedef struct {
  bool in_code, in_error;
  TSSymbol symbol;  // of the node
  uint32_t memo;    // number of the node's memo plus 1; 0 for none
} frame;

// leave completes a node's memo once all in it is done.
static void leave(walker *w, const frame *f) {
  if (!f->memo) return;
  walk_memo *m = &w->out.memos[f->memo - 1];
  m->count = w->out.nrecords - m->first;
  m->statements = w->out.nstatements - m->first_statement;
  m->inner = w->out.nmemos - f->memo;
}

// visit looks at a node and tells whether to go into it; f becomes what holds
// inside.
static bool visit(walker *w, TSNode node, frame *f) {
  TSSymbol symbol = ts_node_symbol(node);
  if (symbol == SYMBOL_ERROR) {
    if (!f->in_error && !f->in_code) {
      walk_record r;
      memset(&r, 0, sizeof r);
      r.node = span_of(node);
      r.flags = RECORD_ERROR;
      add_record(w, r);
    }
    f->in_error = true;
    return true;
  }
  uint16_t number = symbol < w->nsymbols ? w->rule_of[symbol] : 0;
  if (!number) return false;
  const walk_rule *rule = &w->rules[number - 1];
  uint8_t class_ = examine(w, node, number - 1, f->in_code);
  if (rule->flags & (RULE_LEAF | RULE_LEAD)) return false;
  if (f->in_code && rule->flags & RULE_CALL && !(rule->flags & RULE_DEEP)) return false;
  if (class_ == CLASS_CODE) f->in_code = true;
  if (class_ == CLASS_TYPE || class_ == CLASS_OTHER) f->in_code = false;
  // In code, what stands on one line holds no definition worth the way.
  return !f->in_code || rule->flags & RULE_DEEP || rows(node) > 0;
}

static uint32_t hash_of(uint32_t start, uint32_t end) { return (start * 0x9E3779B1u) ^ (end * 0x85EBCA6Bu); }

// know enters what the walk before did into the hash table.
static void know(walker *w) {
  uint32_t size = 16;
  while (size < 2 * w->before.nmemos) size *= 2;
  if (!w->before.nmemos || !(w->known = calloc(size, sizeof *w->known))) return;
  w->known_mask = size - 1;
  for (uint32_t i = 0; i < w->before.nmemos; i++) {
    uint32_t at = hash_of(w->before.memos[i].start, w->before.memos[i].end) & w->known_mask;
    while (w->known[at]) at = (at + 1) & w->known_mask;
    w->known[at] = i + 1;
  }
}

// recall finds what the walk before did in the node that m describes. A node
// that touches what changed is another.
static const walk_memo *recall(walker *w, const walk_memo *m) {
  if (!w->known) return NULL;
  uint32_t by = 0;  // how far it stood further down
  if (m->start > w->changed.new_end)
    by = w->changed.old_end - w->changed.new_end;
  else if (m->end >= w->changed.start)
    return NULL;
  uint32_t start = m->start + by, end = m->end + by;
  for (uint32_t at = hash_of(start, end) & w->known_mask; w->known[at]; at = (at + 1) & w->known_mask) {
    const walk_memo *k = &w->before.memos[w->known[at] - 1];
    if (k->start == start && k->end == end && k->symbol == m->symbol && k->parent == m->parent &&
        k->in_code == m->in_code && k->in_error == m->in_error && k->in_large == m->in_large)
      return k;
  }
  return NULL;
}

static walk_span moved(walk_span s, uint32_t by) {
  return s.end ? (walk_span){s.start + by, s.end + by} : s;
}

// repeat does again what the walk before did in a node that now begins at
// start. Unsigned arithmetic moves back as well.
static void repeat(walker *w, const walk_memo *k, uint32_t start) {
  uint32_t by = start - k->start, first = w->out.nrecords - k->first, statement = w->out.nstatements - k->first_statement;
  for (uint32_t i = 0; i < k->count; i++) {
    walk_record r = w->before.records[k->first + i];
    r.node = moved(r.node, by), r.name = moved(r.name, by), r.scope = moved(r.scope, by);
    r.inner = moved(r.inner, by), r.callee = moved(r.callee, by), r.body += r.body ? by : 0;
    add_record(w, r);
  }
  for (uint32_t i = 0; i < k->statements && w->out.nstatements < MAX_STATEMENTS; i++)
    add_statement(w, moved(w->before.statements[k->first_statement + i], by));
  for (uint32_t i = 0; i <= k->inner; i++) {
    walk_memo m = k[i];
    m.start += by, m.end += by, m.first += first, m.first_statement += statement;
    add_memo(w, m);
  }
}

// describe tells what of a node the walk in it depends on: also whether its
// statements are those of a large definition around it.
static walk_memo describe(walker *w, TSNode node, uint16_t parent, const frame *f) {
  walk_span s = span_of(node);
  return (walk_memo){.start = s.start, .end = s.end, .symbol = ts_node_symbol(node), .parent = parent,
                     .in_code = f->in_code, .in_error = f->in_error, .in_large = s.end <= w->statements_until};
}

// enter does what there is to do at a node, and tells whether to go into it;
// f becomes what holds inside. What was done before is repeated, but for nodes
// with errors: the library recovers from them in more ways than one.
static bool enter(walker *w, TSNode node, TSSymbol parent, frame *f) {
  walk_memo m = describe(w, node, parent, f);
  if (m.symbol != SYMBOL_ERROR && !has_rule(w, m.symbol)) return false;
  bool sound = !ts_node_has_error(node);
  const walk_memo *k = sound ? recall(w, &m) : NULL;
  if (k) {
    repeat(w, k, m.start);
    return false;
  }
  m.first = w->out.nrecords, m.first_statement = w->out.nstatements;
  bool inside = visit(w, node, f);
  f->memo = 0;
  if (!sound || (!inside && w->out.nrecords == m.first)) return inside;
  add_memo(w, m);
  f->memo = w->out.nmemos;
  if (!inside) leave(w, f);
  return inside;
}

walk_result walk_tree(TSNode root, const uint16_t *rule_of, uint32_t nsymbols, const walk_rule *rules,
                      const walk_case *cases, const uint16_t *code, walk_result before, walk_change changed) {
  walker w;
  memset(&w, 0, sizeof w);
  w.rule_of = rule_of, w.nsymbols = nsymbols, w.rules = rules, w.cases = cases, w.code = code, w.before = before, w.changed = changed;
  know(&w);
  w.scratch = ts_tree_cursor_new(root);
  TSTreeCursor cursor = ts_tree_cursor_new(root);
  frame frames[MAX_DEPTH + 1];
  memset(frames, 0, sizeof frames);
  uint32_t depth = 0;
  for (uint32_t left = MAX_VISITS;; left--) {
    if (!left || w.out.nrecords > MAX_RECORDS) {
      w.out.cut = true;
      break;
    }
    frame f = frames[depth];
    TSNode node = ts_tree_cursor_current_node(&cursor);
    if (enter(&w, node, f.symbol, &f)) {
      f.symbol = ts_node_symbol(node);
      if (depth < MAX_DEPTH && ts_tree_cursor_goto_first_child(&cursor)) {
        frames[++depth] = f;
        continue;
      }
      leave(&w, &f);
    }
    while (depth && !ts_tree_cursor_goto_next_sibling(&cursor)) {
      ts_tree_cursor_goto_parent(&cursor);
      leave(&w, &frames[depth--]);
    }
    if (!depth) break;
  }
  if (w.out.cut) w.out.nmemos = 0;  // some are not complete
  free(w.known);
  ts_tree_cursor_delete(&cursor);
  ts_tree_cursor_delete(&w.scratch);
  return w.out;
}

void walk_free(walk_result r) {
  free(r.memos);
  free(r.records);
  free(r.statements);
}

// is_list reports whether a node is but the statements of a block. Go's grammar
// has such nodes since 0.23: they begin with the first statement, and end behind
// the line end of the last. To fold or to select they are nothing.
static bool is_list(TSNode node) { return strcmp(ts_node_type(node), "statement_list") == 0; }

walk_span *walk_blocks(TSNode root, uint32_t *n) {
  walker w;
  memset(&w, 0, sizeof w);
  TSTreeCursor cursor = ts_tree_cursor_new(root);
  uint32_t depth = 0;
  for (uint32_t left = MAX_VISITS; left && w.out.nstatements < MAX_STATEMENTS; left--) {
    TSNode node = ts_tree_cursor_current_node(&cursor);
    if (rows(node) > 0) {
      if (depth && ts_node_is_named(node) && !is_list(node)) add_statement(&w, span_of(node));
      if (depth < MAX_DEPTH && ts_tree_cursor_goto_first_child(&cursor)) {
        depth++;
        continue;
      }
    }
    while (depth && !ts_tree_cursor_goto_next_sibling(&cursor)) {
      ts_tree_cursor_goto_parent(&cursor);
      depth--;
    }
    if (!depth) break;
  }
  ts_tree_cursor_delete(&cursor);
  *n = w.out.nstatements;
  return w.out.statements;
}

uint32_t walk_around(TSNode root, uint32_t at, walk_span *spans, uint32_t room) {
  uint32_t n = 0;
  TSTreeCursor cursor = ts_tree_cursor_new(root);
  do {
    TSNode node = ts_tree_cursor_current_node(&cursor);
    walk_span s = span_of(node);
    if (s.start > at || s.end < at) break;
    bool told = n && spans[n - 1].start == s.start && spans[n - 1].end == s.end;
    if (!told && !is_list(node)) spans[n++] = s;
  } while (n < room && ts_tree_cursor_goto_first_child_for_byte(&cursor, at) >= 0);
  ts_tree_cursor_delete(&cursor);
  return n;
}

void walk_edit(TSNode root, TSInputEdit edit) { ts_tree_edit((TSTree *)root.tree, &edit); }

uint32_t walk_nodes(TSNode root) { return ts_node_descendant_count(root); }
