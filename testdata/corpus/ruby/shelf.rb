# frozen_string_literal: true

require "set"
require_relative "shelf/version"

$shelf_debug = ENV.key?("SHELF_DEBUG")

# Everything that a lending library needs,
# and a little more.
module Shelf
  DEFAULT_DAYS = 21
  # Fines grow by the day.
  FINES = {
    book: 0.25,
    film: 1.00
  }.freeze

  Error = Class.new(StandardError)
  NotFound = Class.new(Error) do
    def status = 404
  end

  # A place on a shelf: row and column.
  Place = Struct.new(:row, :column, keyword_init: true) do
    def to_s
      "#{row}/#{column}"
    end

    def <=>(other) = [row, column] <=> [other.row, other.column]
  end

  Loan = Data.define(:item, :reader, :due) do
    include Comparable

    def late?(today) = today > due

    def self.starting(item, reader, on:)
      new(item:, reader:, due: on + DEFAULT_DAYS)
    end
  end

  # Mixed into whatever can be lent.
  #
  #   class Puzzle
  #     include Lendable
  #   end
  module Lendable
    def self.included(base)
      super
      base.extend(ClassMethods)
    end

    module ClassMethods
      def lendable_for(days)
        define_method(:loan_days) do
          days
        end
      end
    end

    def lendable? = !reference?

    private

    def reference?
      false
    end
  end

  class Item
    include Lendable

    KINDS = %i[book film map].freeze
    @@count = 0

    # The title as printed.
    attr_reader :title
    attr_accessor :place, :notes
    attr_writer "condition"

    class << self
      # Builds an item out of a row of the catalogue.
      def from_row(row)
        case row
        in { title: String => title, kind: "book" | "film" => kind }
          new(title, kind: kind.to_sym)
        in [String => title, *]
          new(title)
        else
          raise Error, "bad row: #{row.inspect}"
        end
      end

      private def secret = :nobody_knows

      attr_accessor :registry
    end

    def initialize(title, kind: :book, **options)
      @title = title
      @kind = kind
      @options = options
      @@count += 1
      helper = lambda do |x|
        x.to_s
      end
      helper.call(title)
    end

    def title=(value)
      raise ArgumentError, "blank" if value.to_s.strip.empty?

      @title = value
    end

    def ==(other) = other.is_a?(Item) && title == other.title
    alias eql? ==

    def [](key)
      @options[key]
    end
    alias_method :fetch, :[]

    def -@ = self
    def !; false; end
    def each_note(&)
      return enum_for(__method__) unless block_given?
      notes.each(&)
    end

    def forward(...) = Desk.instance.handle(...)

    def print_label
      <<~LABEL
        def not_a_method
        class NotAClass
        #{title.upcase}
      LABEL
    end

    def if_open
      yield if @options.fetch(:open) { true }
    end

    protected

    def rank(unit = :day,
             base: 1.0,
             **)
      KINDS.index(@kind) * base
    end

    %w[red green blue].each do |colour|
      define_method("#{colour}?") do
        @options[:colour] == colour
      end
    end

    class Card < Struct.new(:number)
      def valid? = number.to_s.match?(/\A\d{8}\z/)
    end
  end

  class Item::Map < Item
    def scale; @scale ||= 25_000 end
  end

=begin
The desk at the entrance: it knows who has what.
=end
  class Desk
    # @return [Desk] the only one
    def self.instance
      @instance ||= new
    end
    private_class_method :new

    def lend(item, to:, on: Date.today)
      loans << Loan.starting(item, to, on:)
    rescue NotFound => e
      warn e.message
    ensure
      log { |io| io.puts "lent" }
    end

    def größe = loans.size

    def loans = (@loans ||= Set.new)

    def nested
      def inner_helper(x)
        x + 1
      end
      inner_helper(2)
    end
  end

  module Strings
    refine String do
      def shout = "#{upcase}!"
    end
  end

  module_function

  def today
    Time.now.to_date
  end
end

def Shelf.open(path)
  File.open(path) { |f| yield f }
end

# A helper for scripts.
def main(argv = ARGV)
  catalog = argv.map { |path| Shelf.open(path, &:read) }
  puts catalog if $shelf_debug
end

main if $PROGRAM_NAME == __FILE__

__END__
def not_code
end
