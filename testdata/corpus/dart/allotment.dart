// An allotment: beds, what grows in them, and who waters when.
library allotment;

import 'dart:async';
import 'dart:math' as math show max, min;

part 'allotment.g.dart';

/// The most beds that a plot is divided into.
const int maxBeds = 12;

const _months = ['Jan', 'Feb', 'Mar'];
final log = Logger('allotment');
late final String season;
var wateredToday = false;

/// What calls back when a bed is watered.
typedef Watered = void Function(Bed bed, {required double litres});
typedef int Compare<T>(T a, T b);

/// How thirsty a plant is.
enum Thirst {
  low(1.5),
  middle(3),

  /// Needs water twice a day.
  high(6);

  const Thirst(this.litres);

  final double litres;

  bool get isHigh => this == Thirst.high;

  static Thirst parse(String name) {
    return Thirst.values.firstWhere((t) => t.name == name);
  }
}

enum Side { north, south }

/// Whatever can be planted.
abstract interface class Plantable {
  String get name;

  /// Litres a day at [celsius] degrees.
  double need(double celsius);
}

mixin Labelled on Plantable {
  String label({String prefix = '* '}) => '$prefix$name';
}

base mixin class Counted {
  static int _count = 0;

  void count() {
    _count++;
  }
}

sealed class Weather {}

final class Sunny extends Weather {
  Sunny(this.celsius);
  final double celsius;
}

final class Rainy extends Weather {
  final double millimetres;

  Rainy({required this.millimetres});
}

/// One bed of the plot.
///
/// Beds are never empty for long.
@immutable
@JsonSerializable(
  explicitToJson: true,
)
class Bed extends Object with Counted implements Plantable, Comparable<Bed> {
  const Bed(this.name, {this.thirst = Thirst.middle, List<String> plants = const []})
      : _plants = plants,
        assert(name != '');

  /// A bed with nothing in it.
  const Bed.empty(String name) : this(name);

  factory Bed.fromJson(Map<String, dynamic> json) {
    final plants = (json['plants'] as List<dynamic>).cast<String>();
    return Bed(json['name'] as String, plants: plants);
  }

  Bed._(this.name, this.thirst) : _plants = [] {
    count();
  }

  @override
  final String name;
  final Thirst thirst;
  final List<String> _plants;

  static const width = 1.2;

  @override
  double need(double celsius) {
    var litres = thirst.litres;
    if (celsius > 25) {
      litres *= 2;
    } else if (celsius < 5) {
      return 0;
    }
    double scaled(double by) => litres * by;

    for (final plant in _plants) {
      switch (plant) {
        case 'cactus':
          litres -= 1;
      }
    }
    return math.max(0, scaled(width));
  }

  @Deprecated('count the plants yourself')
  int get size => _plants.length;

  set size(int n) {
    while (_plants.length > n) {
      _plants.removeLast();
    }
  }

  Iterable<String> get plants sync* {
    yield* _plants;
  }

  bool operator <(Bed other) => size < other.size;

  @override
  bool operator ==(Object other) {
    return other is Bed && other.name == name;
  }

  String operator [](int i) => _plants[i];

  @override
  int get hashCode => name.hashCode;

  @override
  int compareTo(Bed other) => name.compareTo(other.name);

  Future<void> water(double litres, {Watered? then}) async {
    await Future<void>.delayed(const Duration(seconds: 1));
    then?.call(this, litres: litres);
    print('''
class NotAClass {
  void notAMethod() {
''');
  }

  Map<String, Object?> toJson() => {
        'name': name,
        'plants': _plants,
      };
}

extension Watering on List<Bed> {
  double needed(Weather weather) => switch (weather) {
        Sunny(:final celsius) => fold(0, (sum, bed) => sum + bed.need(celsius)),
        Rainy(millimetres: > 5) => 0,
        Rainy() => 1,
      };

  Bed? named(String name) {
    for (final bed in this) {
      if (bed.name == name) return bed;
    }
    return null;
  }
}

extension type Litres(double value) {
  Litres operator +(Litres other) => Litres(value + other.value);
}

/* Ends what was begun
   in spring. */
Future<void> harvest(
  List<Bed> beds, {
  bool all = false,
}) async {
  final done = <String>{};
  void take(Bed bed) {
    done.add(bed.name);
  }

  beds.forEach(take);
  log.info("harvested ${done.length} beds {");
}

T pick<T extends Comparable<T>>(Iterable<T> from, Compare<T> by) =>
    from.reduce((a, b) => by(a, b) < 0 ? a : b);

String get today => DateTime.now().toIso8601String();

external int nativeBeds();

void main(List<String> arguments) {
  final beds = [const Bed.empty('north'), Bed('south', plants: ['bean'])];
  unawaited(harvest(beds));
}
