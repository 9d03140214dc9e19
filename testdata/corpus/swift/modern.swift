import Observation

struct Handle: ~Copyable {
    private let descriptor: Int32

    consuming func close() throws(IOError) {
        discard self
    }

    borrowing func read(into buffer: inout [UInt8]) throws(IOError) -> Int {
        guard let count = try? sysread(descriptor) else { throw .closed }
        return count
    }

    deinit { sysclose(descriptor) }
}

package enum IOError: Error {
    case closed, broken(Int32)
}

nonisolated(unsafe) var counter = 0

func parse(_ text: String) -> [Substring] {
    let word = /[a-z]+(?<tail>\d*)/
    return text.matches(of: word).map(\.output.0)
}

func zip<each A, each B>(_ a: repeat each A, with b: repeat each B) -> (repeat (each A, each B)) {
    (repeat (each a, each b))
}

@attached(member, names: named(init), arbitrary)
@attached(extension, conformances: Sendable)
public macro Memberwise(access: Access = .internal) = #externalMacro(module: "M", type: "T")

#Preview("Dark") {
    ContentView()
}

@Observable final class Model {
    var state: State = if launched { .ready } else { .cold }
    let size = switch counter { case 0: 1; default: 2 }
    @ObservationIgnored private var cache: [Int: any Sendable] = [:]

    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { [weak self] in await self?.step() }
        }
    }

    func step(isolation: isolated (any Actor)? = #isolation) async {}
}

extension Model: @unchecked Sendable where State: BitwiseCopyable {
    @inlinable internal static var zero: Self { .init() }
}

func identity<let n: Int, T>(_ x: InlineArray<n, T>) -> InlineArray<n, T> { x }

private extension Handle {
    static func open(_ path: borrowing String) -> sending Handle? { nil }
}

struct Last {
    var value: Int {
        get throws { 1 }
    }
    func end() {}
}
