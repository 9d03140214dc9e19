const std = @import("std");

pub const Gate = struct {
    open: bool = false,

    pub const Event = union(enum) { opened, closed: u8 };

    pub fn push(self: *Gate, comptime fmt: []const u8, args: anytype) !void {
        self.open = !self.open;
        std.debug.print(fmt, args);
        if (self.open) {
            return error.

    pub fn pull(self: *Gate) void {
        self.open = false;
    }
};

pub fn wide(comptime T: type, a: struct { x: T, y: T }) callconv(.c) T {
    return a.x + a.y;
}

inline fn narrow(n: u32) u32 { return n / 2; }

fn last() noreturn {
    unreachable;
}
