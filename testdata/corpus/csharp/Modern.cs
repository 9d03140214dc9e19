#nullable enable
global using System.Text;

var greeting = "top level";
Console.WriteLine(greeting);
await RunAsync(args);

static async Task RunAsync(string[] args)
{
    await Task.Yield();
}

namespace Old.Style
{
    using Inner = List<int>;

    namespace Deeper
    {
        public static class StringExtensions
        {
            extension(string s)
            {
                public int Words => s.Split(' ').Length;

                public string Twice() => s + s;
            }

            public static string Once(this string s) => s;
        }
    }

    public partial class Person
    {
        public string Name { get => field; set => field = value ?? ""; } = "";

        public partial string Title { get; set; }

        public void operator +=(int years) { }

        public partial Person();

        public partial event Action Moved;

        public static Person operator checked ++(Person p) => p;

        [Test, TestCase(1, "}", Ignore = "no")]
        public void Collections(params ReadOnlySpan<int> all)
        {
            int[] joined = [..all, 1, 2];
            var f = (ref readonly int n, int k = 3) => n + k;
            var text = $$"""
                { {{joined.Length}} }
                """;
            if (this is { Name: [_, .. var rest] } and not null) { }
            scoped ref var r = ref joined[0];
            this?.Name = "x";
        }

        private readonly ref struct Buffer<T> where T : allows ref struct
        {
            public readonly ref readonly T First;
            public ref T At(int n) => throw null;
            [System.Runtime.CompilerServices.InlineArray(8)]
            private struct Eight { private int first; }
            private fixed byte raw[16];
        }

        public (int A, string? B) Tuple { get; } = (1, null);

        public static unsafe delegate* unmanaged[Cdecl]<int, void> Pointer;

        T IGeneric<T>.Get<TOther>() => default;

        int IList<int>.this[int n] => n;

        event Action INotify.Changed { add { } remove { } }

#pragma warning disable CS0168
        void Broken()
        {
            var x = ;
            call(a b);
        }
#pragma warning restore

        void Last() { }
    }

    public class Point(int x, int y)
    {
        public int X => x;
        public Point() : this(0, 0) { }
        public void Deconstruct(out int a, out int b) => (a, b) = (x, y);
    }

    public interface IMath<TSelf> where TSelf : IMath<TSelf>
    {
        static virtual TSelf One => default!;
        static abstract bool operator checked -(TSelf a, TSelf b);
    }
}

file record struct Last;
