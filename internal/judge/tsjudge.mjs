// Tells what the TypeScript compiler takes for definitions.
//
//   node tsjudge.mjs < list-of-paths
//
// Prints one line of JSON for each file: [{name, class, line, start, end,
// containers, optional, loose, also}]. also is another name. class is "function", "type" or "scope";
// line is where the name stands, start and end are the first and last line,
// without comments above. containers are the names that the definition may be
// said to stand in, the nearest first; "" is the file. What is optional counts
// neither for nor against an outline; loose is a value that is a function, which an
// outline may list as the variable or property that holds it.
import fs from 'node:fs'
import ts from 'typescript'

const S = ts.SyntaxKind

function lineTable(text) {
  const starts = [0]
  for (const m of text.matchAll(/\r\n|\n|\r/g)) starts.push(m.index + m[0].length)
  return (at) => {
    let low = 0
    let high = starts.length
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (starts[middle] <= at) low = middle
      else high = middle
    }
    return low + 1
  }
}

function nameOf(node) {
  if (!node) return ''
  if (ts.isStringLiteralLike(node) || ts.isNumericLiteral(node)) return node.text
  return node.getText()
}

const isFunctionValue = (n) => n && (ts.isArrowFunction(n) || ts.isFunctionExpression(n))
const isBlockOfFile = (n) => ts.isSourceFile(n) || ts.isModuleBlock(n)

// lastName is c of a.b.c and of a['c'].
function lastName(node) {
  if (ts.isPropertyAccessExpression(node)) return nameOf(node.name)
  if (ts.isElementAccessExpression(node)) return nameOf(node.argumentExpression)
  return nameOf(node)
}

// ownerOf is a.b of a.b.c and of a.b.prototype.c; nothing of exports.c.
function ownerOf(node) {
  const owner = node.expression?.getText().replace(/\.prototype$/, '')
  return owner && !['exports', 'module.exports', 'module', 'this'].includes(owner) ? owner : undefined
}

// assigned is c of (a = b = c).
function assigned(node) {
  while (ts.isParenthesizedExpression(node) || ts.isBinaryExpression(node)) node = node.expression ?? node.right
  return node
}

// isTopValue tells whether an expression is the value of a variable of the
// file, or assigned by a statement of the file.
function isTopValue(node) {
  let n = node.parent
  while (ts.isParenthesizedExpression(n) || ts.isAsExpression(n) || ts.isSatisfiesExpression(n)) n = n.parent
  if (ts.isVariableDeclaration(n)) return isBlockOfFile(n.parent.parent.parent)
  if (ts.isExportAssignment(n)) return true
  return ts.isBinaryExpression(n) && ts.isExpressionStatement(n.parent) && isBlockOfFile(n.parent.parent)
}

// statementOf is the node whose extent a person would cut out.
function statementOf(node) {
  if (ts.isVariableDeclaration(node) && node.parent.declarations?.length === 1 && ts.isVariableStatement(node.parent.parent)) {
    return node.parent.parent
  }
  if (ts.isBinaryExpression(node) && ts.isExpressionStatement(node.parent)) return node.parent
  return node
}

// describe says what a node defines: [name node, class, more], or nothing.
function describe(n) {
  switch (n.kind) {
    case S.FunctionDeclaration:
      return n.name ? [n.name, 'function'] : [n, 'function', { name: 'default', optional: true }]
    case S.ClassDeclaration:
      return n.name ? [n.name, 'type'] : [n, 'type', { name: 'default', optional: true }]
    case S.ClassExpression:
      return n.name ? [n.name, 'type', { optional: true }] : undefined
    case S.InterfaceDeclaration:
    case S.TypeAliasDeclaration:
    case S.EnumDeclaration:
      return [n.name, 'type']
    case S.ModuleDeclaration:
      return [n.name, 'scope', { optional: true }]
    case S.Constructor:
      return [n, 'function', { name: 'constructor', at: n }]
    case S.MethodDeclaration:
    case S.GetAccessor:
    case S.SetAccessor:
      return [n.name, 'function', { optional: ts.isObjectLiteralExpression(n.parent) && !isTopValue(n.parent) }]
    case S.MethodSignature:
      return [n.name, 'function', { optional: !ts.isInterfaceDeclaration(n.parent) }]
    case S.ConstructSignature:
      return [n, 'function', { name: 'new', optional: true }]
    case S.FunctionExpression:
      return n.name ? [n.name, 'function', { optional: true }] : undefined
    case S.VariableDeclaration:
      return describeVariable(n)
    case S.PropertyDeclaration:
    case S.PropertyAssignment:
      return describeProperty(n)
    case S.PropertySignature:
      return n.type && ts.isFunctionTypeNode(n.type) ? [n.name, 'function', { optional: true, loose: true }] : undefined
    case S.BinaryExpression:
      return describeAssignment(n)
    case S.CallExpression:
      return describeCall(n)
  }
}

function describeVariable(n) {
  if (!ts.isIdentifier(n.name) || !n.initializer) return
  const inFile = isBlockOfFile(n.parent.parent.parent ?? n)
  if (isFunctionValue(n.initializer)) return [n.name, 'function', { optional: !inFile, loose: true }]
  if (isFunctionValue(assigned(n.initializer))) return [n.name, 'function', { optional: true, loose: true }]
  if (ts.isClassExpression(n.initializer)) return [n.name, 'type', { optional: true, loose: true }]
  return [n.name, 'scope', { optional: true, hidden: !ts.isObjectLiteralExpression(n.initializer) }]
}

function describeProperty(n) {
  if (!isFunctionValue(n.initializer)) {
    const scope = n.initializer && ts.isObjectLiteralExpression(n.initializer)
    return scope ? [n.name, 'scope', { optional: true }] : undefined
  }
  const top = ts.isPropertyDeclaration(n) ? ts.isClassDeclaration(n.parent) : isTopValue(n.parent)
  return [n.name, 'function', { optional: !top, loose: true }]
}

function describeAssignment(n) {
  if (n.operatorToken.kind !== S.EqualsToken) return
  const name = lastName(n.left)
  if (ts.isClassExpression(n.right)) return [n.left, 'type', { name, optional: true, loose: true }]
  if (ts.isObjectLiteralExpression(n.right)) return [n.left, 'scope', { name, optional: true }]
  const optional = !(ts.isExpressionStatement(n.parent) && ts.isSourceFile(n.parent.parent))
  if (isFunctionValue(n.right)) return [n.left, 'function', { name, optional, loose: true, also: n.left.getText(), of: ownerOf(n.left) }]
}

function describeCall(n) {
  const [first] = n.arguments
  if (!first || !ts.isStringLiteralLike(first) || !n.arguments.some(isFunctionValue)) return
  return [first, 'function', { name: first.text, optional: true }]
}

function judge(path) {
  const text = fs.readFileSync(path, 'utf8')
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const lineOf = lineTable(text)
  const items = []
  const visit = (node, containers) => {
    const found = describe(node)
    let inner = containers
    if (found) {
      const [nameNode, cls, more = {}] = found
      const name = more.name ?? nameOf(nameNode)
      if (name && !more.hidden) {
        const whole = statementOf(node)
        items.push({
          name,
          class: cls,
          line: lineOf(nameNode.getStart(file)),
          start: lineOf(whole.getStart(file)),
          end: lineOf(whole.end),
          containers: more.of ? [more.of] : containers,
          optional: more.optional || undefined,
          loose: more.loose || undefined,
          also: more.also,
        })
        inner = more.optional || more.loose ? [name, more.also ?? name, ...containers] : [name]
      }
    }
    ts.forEachChild(node, (child) => visit(child, inner))
  }
  visit(file, [''])
  return items
}

for (const path of fs.readFileSync(0, 'utf8').split('\n')) {
  if (path) console.log(JSON.stringify(judge(path)))
}
