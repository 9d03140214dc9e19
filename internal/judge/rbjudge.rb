# Tells what Ruby's own parser takes for definitions: for each path on standard
# input a line of JSON, as tsjudge.mjs does; null if it does not parse.
require "json"

KINDS = { DEFN: "function", DEFS: "function", CLASS: "type", MODULE: "type" }.freeze

def name_of(node)
  case node.type
  when :DEFN then node.children[0]
  when :DEFS then node.children[1]
  else node.children[0].children[-1] # A::B: the last part
  end
end

def items(node, containers, found)
  inner = containers
  if (kind = KINDS[node.type])
    name = name_of(node).to_s
    found << { name: name, class: kind, line: node.first_lineno, start: node.first_lineno, end: node.last_lineno, containers: containers }
    inner = [name]
  end
  node.children.each { |child| items(child, inner, found) if child.is_a?(RubyVM::AbstractSyntaxTree::Node) }
  found
end

$VERBOSE = nil
$stdin.each_line(chomp: true) do |path|
  puts JSON.generate(items(RubyVM::AbstractSyntaxTree.parse_file(path), [""], []))
rescue SyntaxError, ArgumentError
  puts "null"
end
