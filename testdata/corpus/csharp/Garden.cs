using System;
using System.Collections.Generic;
using System.Linq;
using static System.Math;
using Pair = (int Left, string Right);

[assembly: InternalsVisibleTo("Garden.Tests")]

namespace Garden.Plants;

/// <summary>How a plant grows. Größe in Zentimetern.</summary>
[Flags]
public enum Growth : byte
{
    None = 0,
    /// <summary>Upwards.</summary>
    [Obsolete("use Tall")]
    Up = 1 << 0,
    Tall = Up, Wide
}

public delegate T Seed<in TKind, out T>(TKind kind, params int[] sizes) where T : class;

// Anything that wants water.
public interface IThirsty<T> : IDisposable
    where T : struct, IComparable<T>
{
    const int Limit = 9;
    string Name { get; }
    event EventHandler? Dried;
    T this[int day] { get; set; }
    void Water(T litres);
    bool IsDry() => true;
    static abstract T operator +(T left, T right);
}

public readonly record struct Size(double Height, double Width)
{
    public static readonly Size Zero = new(0, 0);
    public double Area => Height * Width;
    public static Size operator *(Size a, double k) => new(a.Height * k, a.Width * k);
    public static implicit operator double(Size s) => s.Area;
    public static explicit operator Size((double H, double W) t)
    {
        return new Size(t.H, t.W);
    }
}

public record Species(string Latin, string? Common = null);

public sealed record class Tree(string Latin, int Age) : Species(Latin)
{
    public int Rings { get; init; } = Age;
    public override string ToString() => $"{Latin} ({Age} {{years}})";
    protected virtual bool PrintMembers(StringBuilder b) { return true; }
}

/// <summary>
/// A bed of plants.
/// </summary>
/// <typeparam name="T">What grows.</typeparam>
[Serializable]
[DebuggerDisplay(
    "{Name}, {Count} plants",
    Type = "bed")]
public abstract partial class Bed<T>(string name, ILogger log) : IThirsty<decimal>, IEnumerable<T>
    where T : Species, new()
{
    #region state
    private const int MaxPlants = 40, MinPlants = 1;
    private static readonly Dictionary<string, Func<int, int>> rules = new()
    {
        ["double"] = n => n * 2,
    };
    private readonly List<T> plants = [], removed = [];
    [ThreadStatic] internal static int depth;
    #endregion

    public event EventHandler? Dried, Flooded;
    public event Action<T> Planted
    {
        add { log.Add(value); }
        remove { log.Remove(value); }
    }

    public string Name { get; protected set; } = name;

    /// <summary>How many.</summary>
    [JsonIgnore]
    public int Count
    {
        get => plants.Count;
        private set
        {
            if (value < 0)
                throw new ArgumentException(nameof(value));
        }
    }

    public required string Label { get; init; }

    public decimal this[int day]
    {
        get { return day; }
        set { }
    }

    string IThirsty<decimal>.Name => Name;

    static Bed() { depth = 1; }

    // For tests.
    internal Bed(int count) : this("bed", null!)
    {
        Count = count;
    }

    ~Bed() => log.Dispose();

    public void Water(decimal litres)
    {
        int Share(int n)
        {
            static int Half(int n) => n / 2;
            return Half(n);
        }

        var total = plants.Where(p => p is { Latin: not null }).Sum(p => Share(1));
        Func<int, int> square = delegate (int n) { return n * n; };
        Planted?.Invoke(total switch
        {
            > 10 and < 20 => plants[^1],
            _ when litres > 3 => plants[0],
            _ => default!,
        });
    }

    void IDisposable.Dispose() { }

    public abstract Task<IEnumerable<TOut>> GrowAsync<TOut>(
        Func<T, TOut> how,
        [CallerMemberName] string by = "",
        CancellationToken stop = default)
        where TOut : notnull;

    [DllImport("garden")]
    private static extern unsafe int NativeWater(byte* data);

    public IEnumerator<T> GetEnumerator() => plants.GetEnumerator();
    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    partial void OnDry();

    public static bool operator ==(Bed<T>? a, Bed<T>? b) => ReferenceEquals(a, b);
    public static bool operator !=(Bed<T>? a, Bed<T>? b) => !(a == b);
    public static bool operator true(Bed<T> b) { return true; }

    protected class Gardener
    {
        private struct Tool { public int Weight; }
        public enum Mood { Happy, Tired }
        public string @class = """
            class NotAClass { void NotAMethod() { } }
            """;
    }
}

file static class BedExtensions
{
    public static void Rake<T>(this Bed<T> bed) where T : Species, new() => bed.Water(1);

#if DEBUG
    public static void Dump(this object o)
    {
        Console.WriteLine(@"a ""quoted"" \ path");
    }
#endif
}
