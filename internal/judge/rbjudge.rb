# Tells what Ruby's own parser takes for definitions: for each path on standard
# input a line of JSON, as tsjudge.mjs does; null if it does not parse.
require "json"

NODE = RubyVM::AbstractSyntaxTree::Node
KINDS = { DEFN: "function", DEFS: "function", CLASS: "type", MODULE: "type" }.freeze

# Reads the definitions of one file. What other calls define, tests among
# them, may be left out.
class Finder
  attr_reader :items

  def initialize(path)
    @items = []
    @lines = File.readlines(path)
    visit(RubyVM::AbstractSyntaxTree.parse_file(path), [""])
  end

  private

  def visit(node, containers)
    inner = definition(node, containers) || containers
    node.children.each { |child| visit(child, inner) if child.is_a?(NODE) }
  end

  # Returns what definitions inside may be said to stand in.
  def definition(node, containers)
    case node.type
    when :DEFN then add(node, node.children[0], containers)
    when :DEFS then add(node, node.children[1], names(node.children[0]) + containers)
    when :CLASS, :MODULE then add(node, node.children[0].children[-1], scope(node.children[0]) + containers)
    when :ALIAS then add(node, symbol(node.children[0]), containers, optional: true)
    when :CDECL then struct(node, containers)
    when :ITER then block(node, containers)
    end
  end

  def add(node, name, containers, optional: false)
    @items << {
      name: name.to_s, class: KINDS.fetch(node.type, "function"), line: node.first_lineno, start: node.first_lineno,
      end: node.last_lineno, containers: containers, optional: optional
    }
    optional ? [name.to_s, *containers] : [name.to_s]
  end

  # A::B in "class A::B::C".
  def scope(path)
    path.type == :COLON2 && path.children[0] ? names(path.children[0]) : []
  end

  # What a constant is called; nothing for self and other values.
  def names(node)
    %i[CONST COLON2 COLON3].include?(node.type) ? [node.children[-1].to_s] : []
  end

  # NAME = Struct.new(…)
  def struct(node, containers)
    name = node.children[0].is_a?(Symbol) ? node.children[0] : node.children[1]
    add(node, name, containers, optional: true)
    @items.last[:class] = "type"
    [name.to_s, *containers]
  end

  # describe "name" do … end, task :name do … end
  def block(node, containers)
    arguments = node.children[0].children.find { |child| child.is_a?(NODE) && child.type == :LIST }
    first = arguments&.children&.first
    return unless first

    add(node, text(first), containers, optional: true)
  end

  def symbol(node)
    node.is_a?(NODE) ? node.children[0] : node
  end

  def text(node)
    node = node.children[0]&.children&.first || node if node.type == :HASH
    return node.children[0].to_s if %i[STR LIT].include?(node.type)

    @lines[node.first_lineno - 1].byteslice(node.first_column...(node.last_lineno == node.first_lineno ? node.last_column : nil))
  end
end

$VERBOSE = nil
$stdin.each_line(chomp: true) do |path|
  puts JSON.generate(Finder.new(path).items)
rescue SyntaxError, ArgumentError
  puts "null"
end
