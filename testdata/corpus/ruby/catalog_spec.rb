# frozen_string_literal: true

require "spec_helper"

RSpec.describe Catalog do
  subject(:catalog) { described_class.new(items) }

  let(:items) { [build(:item), build(:item, title: "Ödland")] }
  let!(:desk) do
    Desk.new(catalog)
  end

  before { Desk.reset! }

  describe "#find" do
    it "finds by title" do
      expect(catalog.find("Ödland")).to eq(items.last)
    end

    it("finds nothing") { expect(catalog.find("x")).to be_nil }

    context "when the catalogue is empty" do
      let(:items) { [] }

      it { is_expected.to be_empty }

      # The shelf may be bare.
      it 'does not complain' do
        expect { catalog.find("y") }.not_to raise_error
      end
      specify("is #{1 + 1} times as fast") { expect(1).to eq(1) }
    end
  end

  describe ".build" do
    def build_many(n)
      Array.new(n) { described_class.build }
    end

    it "is quick", :slow, if: ENV["CI"] do
      expect(build_many(3)).to all(be_a(Catalog))
    end
  end

  shared_examples "a lender" do |days|
    it "lends" do
      expect(subject.days).to eq(days)
    end
  end
end

class CatalogTest < ActiveSupport::TestCase
  setup do
    @catalog = catalogs(:one)
  end

  test "finds an item" do
    assert @catalog.find("one")
  end

  test "is in order" do
    titles = @catalog.map(&:title)
    assert_equal titles.sort, titles
  end

  def test_old_style
    assert_nil @catalog.find(nil)
  end
end
