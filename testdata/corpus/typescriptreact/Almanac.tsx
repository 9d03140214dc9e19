"use client";

import * as React from "react";
import { createContext, useCallback, type ReactNode } from "react";

export interface Entry {
  readonly id: string;
  title: string;
  when?: Date;
  render?(): ReactNode;
}

type Props<T extends Entry = Entry> = React.PropsWithChildren<{
  entries: readonly T[];
  onOpen?: (entry: T) => void;
}>;

export type State =
  | { kind: "idle" }
  | { kind: "open"; entry: Entry };

enum View {
  Day = "day",
  Month = "month",
}

/** How many entries fit on a page. */
const PAGE = 12 as const;
let renders = 0;

export const Context = createContext<State>({ kind: "idle" });

// Generic components need the comma.
export const List = <T extends Entry,>({ entries, onOpen }: Props<T>) => {
  const open = useCallback((entry: T) => onOpen?.(entry), [onOpen]);
  const label = (entry: T): string => `${entry.title} · ${entry.when ?? "—"}`;

  return (
    <ul aria-label="Eintrittsliste">
      {entries.slice(0, PAGE).map((entry) => (
        <li key={entry.id} onClick={() => open(entry)}>
          {label(entry)} {entry.render?.()}
        </li>
      ))}
    </ul>
  );
};

export function usePage(initial: number = 0): [page: number, turn: (by: 1 | -1) => void] {
  const [page, setPage] = React.useState<number>(initial);

  function turn(by: 1 | -1): void {
    setPage((old) => Math.max(0, old + by));
  }

  return [page, turn];
}

/**
 * Draws a day, or a month.
 */
export default function Almanac({ view = View.Day, ...props }: Props & { view?: View }): JSX.Element {
  const [page, turn] = usePage();
  interface Local { page: number }
  const local = { page } satisfies Local;

  const onKey: React.KeyboardEventHandler<HTMLElement> = function (event) {
    if (event.key === "n") turn(1);
  };

  React.useEffect(() => {
    renders++;
    return function cleanup() {
      renders--;
    };
  }, []);

  return (
    <article data-view={view} onKeyDown={onKey}>
      <h1>interface NotAnInterface {"{"} {"}"}</h1>
      <Switch<View> value={view} cases={{ day: () => <p>Day</p>, month() { return <p>Month</p>; } }} />
      <List<Entry> {...props} entries={props.entries.slice(local.page)} />
      <Old.Footer render={function (this: void) { return <b>{page!}</b>; }} />
      {props.children}
    </article>
  );
}

interface SwitchProps<V extends string> {
  value: V;
  cases: Record<V, () => ReactNode>;
}

function Switch<V extends string>(props: SwitchProps<V>): ReactNode;
function Switch(props: any) {
  return props.cases[props.value]();
}

const Card = React.memo(
  React.forwardRef<HTMLDivElement, { title: string }>(function Card({ title }, ref) {
    return <div ref={ref}>{title as string}</div>;
  }),
);

Card.displayName = "Card";

function logged(target: unknown, context: ClassMethodDecoratorContext) {}

abstract class Page<P = {}> extends React.Component<P, State> {
  state: State = { kind: "idle" };
  protected timer?: ReturnType<typeof setTimeout>;

  constructor(
    props: P,
    private readonly locale = "sv-SE",
  ) {
    super(props);
  }

  abstract title(): string;

  @logged
  protected open = (entry: Entry): void => {
    this.setState({ kind: "open", entry });
  };

  @logged
  componentDidMount() {
    this.timer = setTimeout(() => this.forceUpdate(), 1_000);
  }

  override componentWillUnmount(): void { clearTimeout(this.timer); }

  render(): ReactNode {
    const today = new Intl.DateTimeFormat(this.locale);
    return <h2>{this.title()}: {today.format()}</h2>;
  }
}

export class Months extends Page {
  static readonly NAMES = ["januari", "februari", "mars"];

  title() { return Months.NAMES[0]; }
}

namespace Old {
  export const Footer = ({ render }: { render: () => ReactNode }) => <footer>{render()}</footer>;
  export type FooterProps = Parameters<typeof Footer>[0];
}

const routes = {
  "/": {
    element: <Almanac entries={[]} />,
    loader: async () => null,
    action({ request }: { request: Request }) {
      return request.url;
    },
  },
} satisfies Record<string, object>;

declare module "react" {
  interface CSSProperties {
    "--hue"?: number;
  }
}

function assertNever(value: never): never {
  throw new Error(`unexpected ${value}`);
}

export const selectTitle = (state: State) => {
  switch (state.kind) {
    case "open":
      return state.entry.title;
    case "idle":
      return undefined;
    default:
      return assertNever(state);
  }
};

export { Switch, type SwitchProps, routes as default_routes, Card };
