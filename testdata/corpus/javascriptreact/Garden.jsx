// @ts-check
import React, { memo, forwardRef, useState } from "react";
import PropTypes from "prop-types";
import styles from "./Garden.module.css";

/* The colours of the beds. */
export const COLOURS = Object.freeze({ soil: "#543", grass: "#3a5" });

const ThemeContext = React.createContext(null);
ThemeContext.displayName = "Theme";

/**
 * One bed of the garden.
 */
function Bed({ name, plants = [], onWater, ...rest }) {
  const [wet, setWet] = useState(false);

  const water = () => {
    setWet(true);
    onWater?.({ name });
  };

  function renderPlant(plant, i) {
    return <li key={i} className={styles.plant}>{plant}</li>;
  }

  return (
    <section {...rest} data-wet={wet}>
      <h2>function NotAFunction() {"{}"}</h2>
      {plants.length > 0 ? <ul>{plants.map(renderPlant)}</ul> : <p>It&apos;s empty.</p>}
      {/* a comment in the markup */}
      <button onClick={water} disabled={wet}>Water</button>
    </section>
  );
}

Bed.propTypes = {
  name: PropTypes.string.isRequired,
  custom(props, key) {
    return props[key] ? null : new Error(key);
  },
};
Bed.defaultProps = { plants: [] };

export const Path = ({ from, to }) => <hr title={`${from} → ${to}`} />;

export const Gate = memo(function Gate({ open }) {
  return open ? <>open</> : <></>;
});

export const Fence = forwardRef((props, ref) => {
  const inner = 1;
  return <div ref={ref} {...props} data-inner={inner} />;
});

const withTheme = (Component) => function Themed(props) {
  return (
    <ThemeContext.Consumer>
      {(theme) => <Component {...props} theme={theme} />}
    </ThemeContext.Consumer>
  );
};

// Remembers what was planted,
// and when.
export function usePlants(initial) {
  const [plants, setPlants] = useState(initial);

  const add = React.useCallback(function addPlant(plant) {
    setPlants((old) => [...old, plant]);
  }, []);

  return {
    plants,
    add,
    remove(name) {
      setPlants((old) => old.filter((p) => p !== name));
    },
    clear: () => setPlants([]),
  };
}

export class Garden extends React.Component {
  static contextType = ThemeContext;
  static propTypes = {
    beds: PropTypes.arrayOf(PropTypes.string),
  };

  state = { selected: null, watered: new Set() };

  handleSelect = (name) => {
    this.setState({ selected: name });
  };

  handleWater = async ({ name }) => this.setState(({ watered }) => ({
    watered: watered.add(name),
  }));

  constructor(props) {
    super(props);
    this.list = React.createRef();
  }

  static getDerivedStateFromError(error) { return { error }; }

  componentDidCatch(
    error,
    info,
  ) {
    console.error(error, info);
  }

  get beds() {
    return this.props.beds ?? [];
  }

  #count() { return this.beds.length; }

  renderBed(name) {
    const { watered } = this.state;
    return (
      <Bed
        key={name}
        name={name}
        onWater={(event) => {
          function logged() { return event; }
          this.handleWater(logged());
        }}
        aria-busy={watered.has(name)}
      />
    );
  }

  render() {
    if (this.state.error) return <p role="alert">Größe unbekannt – sorry</p>;
    return (
      <main ref={this.list}>
        <h1>{this.#count()} beds</h1>
        {this.beds.map((name) => this.renderBed(name))}
        <Path from="gate" to="shed" />
        <Shed.Door render={() => <b>door</b>} />
      </main>
    );
  }
}

const Shed = {
  Door({ render }) {
    return <div>{render()}</div>;
  },
  Window: () => <div className={styles["window"]} />,
  Wall: function Wall() { return null; },
};

function reducer(state, action) {
  switch (action.type) {
    case "plant": {
      const grow = (n) => n + 1;
      return { ...state, size: grow(state.size) };
    }
    default:
      return state;
  }
}

const lazyGreenhouse = React.lazy(() => import("./Greenhouse.jsx"));

export default function App() {
  const [state, dispatch] = React.useReducer(reducer, { size: 0 });
  React.useEffect(() => {
    const timer = setInterval(tick, 1000);
    function tick() { dispatch({ type: "plant" }); }
    return () => clearInterval(timer);
  }, []);
  return (
    <React.StrictMode>
      <Garden beds={["rose", "kohl" + state.size]} />
      <React.Suspense fallback={null}>{lazyGreenhouse}</React.Suspense>
    </React.StrictMode>
  );
}

App.getLayout = (page) => <body>{page}</body>;

export { withTheme, ThemeContext as Context };
