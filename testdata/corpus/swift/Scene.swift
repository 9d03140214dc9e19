import Foundation
@preconcurrency import Combine

/// The version that the app shows.
let version = "4.2.0"
var launches = 0, failures = 0
public let tuple: (Int, Int) = (1, 2)

typealias Handler = @Sendable (Result<Data, any Error>) async -> Void

infix operator <~>: AdditionPrecedence
prefix operator √

precedencegroup Similar {
    associativity: left
}

/// A thing that can be drawn.
///
/// - Note: on the main actor only
@MainActor
public protocol Drawable: AnyObject, Sendable {
    associatedtype Canvas: Collection where Canvas.Element == Pixel
    static var layer: Int { get }
    var bounds: CGRect { get set }
    init?(canvas: Canvas)
    func draw(on canvas: inout Canvas) async throws -> Bool
    mutating func reset()
    subscript(x: Int, y: Int) -> Pixel { get }
}

@propertyWrapper
struct Clamped<Value: Comparable> {
    private var value: Value
    let range: ClosedRange<Value>

    var wrappedValue: Value {
        get { value }
        set { value = min(max(newValue, range.lowerBound), range.upperBound) }
    }
    var projectedValue: Self { self }

    init(wrappedValue: Value, _ range: ClosedRange<Value>) {
        self.range = range
        self.value = wrappedValue
    }
}

/* Colours as the designers
   name them. */
enum Colour: String, CaseIterable {
    case red, green
    /// Between the two.
    case yellow = "amber"
    case `default`

    var isWarm: Bool {
        switch self {
        case .red, .yellow: true
        default: false
        }
    }
}

indirect enum Expression {
    case number(Double)
    case sum(left: Expression, right: Expression)

    static func + (left: Expression, right: Expression) -> Expression {
        .sum(left: left, right: right)
    }
    static prefix func - (value: Expression) -> Self { value }
    static func == (l: Self, r: Self) -> Bool { true }
}

@Observable
@available(iOS 17, *)
open class Scene<Root: Drawable>: NSObject, Codable {
    public static let shared = Scene()
    @Clamped(0...100) private(set) var zoom: Int = 50
    @Published
    var title = "Überblick" {
        willSet { print(newValue) }
        didSet {
            let old = oldValue
            changed(from: old)
        }
    }
    lazy var cache: [String: Root] = {
        var result = [String: Root]()
        result.reserveCapacity(8)
        return result
    }()
    weak var parent: Scene?

    // MARK: - Life cycle

    public required init(root: Root) {
        super.init()
        launches += 1
    }

    convenience init?(named name: String) async throws {
        guard let root = try await load(name) else { return nil }
        self.init(root: root)
    }

    deinit {
        print("gone")
    }

    subscript(name: String) -> Root? {
        get { cache[name] }
        set { cache[name] = newValue }
    }

    /// Tells observers.
    @discardableResult
    @objc(changedFrom:)
    func changed(from old: String) -> Bool {
        func isBlank(_ text: String) -> Bool {
            text.allSatisfy(\.isWhitespace)
        }
        let kind = if isBlank(old) { "new" } else { "renamed" }
        struct Change { let kind: String }
        return Change(kind: kind).kind == "renamed"
    }

    class func make<each T>(_ roots: repeat each T) -> [Scene] where Root: Hashable { [] }

    private struct Key: Hashable {
        let id: UUID
        struct Part {}
        enum CodingKeys: String, CodingKey { case id }
    }
}

actor Renderer {
    private var frames: [Int] = []
    nonisolated let name: String

    init(name: String) { self.name = name }

    func render(_ scene: Scene<some Drawable>) async -> Int {
        await withTaskGroup(of: Int.self) { group in
            for await frame in group { frames.append(frame) }
        }
        return frames.count
    }

    nonisolated func describe() -> String { "renderer \(name)" }
}

extension Renderer: CustomStringConvertible {
    nonisolated var description: String { name }

    func skip(frames n: Int) {
        for _ in 0..<n where n > 1 { frames.removeLast() }
    }

    enum Mode { case fast, exact(Double) }
}

/// Only for numbers.
extension Array where Element == Int {
    var total: Int { reduce(0, +) }
    static func ~= (lhs: Self, rhs: Int) -> Bool { lhs.contains(rhs) }
}

extension Scene.Key { static let empty = 0 }

#if os(macOS)
func open(_ url: URL) {
    NSWorkspace.shared.open(url)
}
#else
func open(_ url: URL) {}
#endif

@freestanding(expression)
public macro stringify<T>(_ value: T) -> (T, String) =
    #externalMacro(module: "Macros", type: "StringifyMacro")

/// Says hello.
func greet(_ name: String, times: Int = 1) async throws -> String {
    let text = """
        func fake() {}
        class Fake { \(name) }
        """
    return String(repeating: text, count: times)
}

@main
struct App {
    static func main() async {
        _ = try? await greet("Welt", times: 2)
    }
}
