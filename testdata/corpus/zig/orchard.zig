//! Keeps the books of an orchard: its trees, what they bear, and the crates
//! that leave it. No real orchard is meant.

const std = @import("std");
const builtin = @import("builtin");

/// The most trees that one row takes.
pub const max_row = 48;
const default_spacing: f32 = 3.5;
pub var harvested: usize = 0;
threadlocal var scratch: [256]u8 = undefined;

const Allocator = std.mem.Allocator;
const log = std.log.scoped(.orchard);

const banner =
    \\An orchard of apples and pears {
    \\  fn notAFunction() void {
    \\"quoted
;

/// What can go wrong among trees.
pub const Error = error{
    /// No room is left in the row.
    RowFull,
    NoSuchTree,
} || Allocator.Error;

/// A kind of fruit.
pub const Fruit = enum(u8) {
    apple,
    pear = 4,
    /// Rare this far north.
    @"sour cherry",
    _,

    /// How the fruit is called on a label.
    pub fn label(self: Fruit) []const u8 {
        return switch (self) {
            .apple => "apple",
            .pear => "pear",
            else => "other",
        };
    }

    fn isStone(self: Fruit) bool {
        return self == .@"sour cherry";
    }
};

pub const Weight = union(enum) {
    grams: u32,
    crates: struct {
        full: u16,
        rest: u32,
    },
    unknown,

    pub fn total(self: Weight) u64 {
        return switch (self) {
            .grams => |g| g,
            .crates => |c| @as(u64, c.full) * 20_000 + c.rest,
            .unknown => 0,
        };
    }
};

/// One tree in a row.
pub const Tree = struct {
    fruit: Fruit = .apple,
    /// Years since it was planted.
    age: u8,
    note: ?[]const u8 = null,

    pub const young: u8 = 5;
    var counted: usize = 0;

    const Self = @This();

    pub fn init(fruit: Fruit, age: u8) Self {
        counted += 1;
        return .{ .fruit = fruit, .age = age };
    }

    pub inline fn isYoung(self: *const Self) bool {
        return self.age < young;
    }

    // Yields nothing in its first years, whatever
    // the weather does.
    pub fn yield(
        self: *const Self,
        weather: f32,
    ) Weight {
        if (self.isYoung()) return .{ .grams = 0 };
        const base: f32 = switch (self.fruit) {
            .apple => 40_000,
            .pear => blk: {
                var sum: f32 = 0;
                for (0..3) |i| {
                    sum += @floatFromInt(i);
                }
                break :blk sum * 9_000;
            },
            else => 5_000,
        };
        return .{ .grams = @intFromFloat(base * weather) };
    }
};

pub const Header = extern struct {
    magic: [4]u8 align(4),
    version: u32,
};

const Flags = packed struct(u8) {
    watered: bool,
    pruned: bool,
    _padding: u6 = 0,
};

const Handle = opaque {
    extern fn orchard_close(h: *Handle) void;
};

/// A row of things of type T, all of the same spacing.
pub fn Row(comptime T: type) type {
    return struct {
        const This = @This();

        items: std.ArrayListUnmanaged(T) = .{},
        spacing: f32 = default_spacing,

        pub fn deinit(self: *This, gpa: Allocator) void {
            self.items.deinit(gpa);
        }

        /// Plants one more at the row's end.
        pub fn plant(self: *This, gpa: Allocator, item: T) Error!void {
            if (self.items.items.len == max_row) return error.RowFull;
            try self.items.append(gpa, item);
        }

        pub fn length(self: This) f32 {
            const n: f32 = @floatFromInt(self.items.items.len);
            return n * self.spacing;
        }
    };
}

extern "c" fn getpid() c_int;
extern fn usleep(useconds: c_uint) c_int;

export fn orchard_version() u32 {
    return 3;
}

/// Sums what a row bears.
pub fn bearing(row: []const Tree, weather: f32) u64 {
    var sum: u64 = 0;
    for (row) |*tree| sum += tree.yield(weather).total();
    const Helper = struct {
        fn twice(n: u64) u64 {
            return n * 2;
        }
    };
    return Helper.twice(sum) / 2;
}

fn größe(comptime naht: bool) usize {
    const open = '{';
    const quote = '"';
    _ = .{ open, quote };
    return if (naht) 2 else 1;
}

pub fn main() !void {
    var gpa = std.heap.GeneralPurposeAllocator(.{}){};
    defer _ = gpa.deinit();
    var row: Row(Tree) = .{};
    defer row.deinit(gpa.allocator());
    try row.plant(gpa.allocator(), Tree.init(.apple, 12));
    const stdout = std.io.getStdOut().writer();
    try stdout.print("{s}\n{d} grams\n", .{ banner, bearing(row.items.items, 0.9) });
    harvested += 1;
}

test "a young tree bears nothing" {
    const tree = Tree.init(.pear, 2);
    try std.testing.expectEqual(@as(u64, 0), tree.yield(1).total());
}

test Row {
    var row: Row(Tree) = .{};
    defer row.deinit(std.testing.allocator);
    try row.plant(std.testing.allocator, Tree.init(.apple, 7));
    try std.testing.expect(row.length() > 3);
}

test {
    std.testing.refAllDecls(@This());
}

comptime {
    if (@sizeOf(Header) != 8) @compileError("the header has grown");
}
