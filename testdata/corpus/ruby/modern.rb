# frozen_string_literal: true

module Modern
  Point = Data.define(:x, :y) do
    def +(other) = with(x: x + other.x, y: y + other.y)
    def !=(other)
      !(self == other)
    end
    def !~(pattern) = !to_s.match?(pattern)
    def after_operators = "still in Point"
  end

  class Forwarder
    def initialize(target) = @target = target

    def call(*, **, &) = @target.call(*, **, &)
    def all(...) = each_slice(...).to_a

    private attr_reader :target

    public def size = target.map { it.size }.sum
    protected(def hidden(*)
      target.hidden(*)
    end)

    memoize def slow
      target.each_with_index.map { _1 * _2 }
    end

    def decide(value)
      case value
      in { kind: :circle, radius: Float | Integer => radius } if radius.positive?
        radius
      in [Integer => first, *, { last: }]
        first + last
      in String unless value.empty?
        value => { size: }
      in nil | []
        nil
      end
    rescue NoMatchingPatternKeyError => error
      error.key in Symbol
    end

    def shorthand(x:, y:) = { x:, y:, "z": x }
    def query = <<~SQL.lines.map(&:strip)
      def not_here
      class NotHere
    SQL
    def %(other) = self.class.new(target % other)
    def `(command) = command
    def class = Forwarder
    def self.===(other) = other.respond_to?(:call)
    def nil? = false
    # Anonymous block arguments may be handed on in blocks since Ruby 3.3.1.
    def fetch(key, &) = target.fetch(key) { |missing| raise KeyError, missing }
  end

  class << Forwarder
    def build(...) = new(...)
  end

  if RUBY_VERSION >= "3.4"
    def newer? = true
  else
    def newer? = false
  end

  refine Array do
    def second = self[1]
  end

  BEGIN_AT = Time.at(0, in: "UTC")
  X, Y = 1, 2
end

class ::Modern::Last < Modern::Forwarder; end
