-- The harbour's tables, for PostgreSQL.
-- Run once, from an empty database.

CREATE EXTENSION IF NOT EXISTS btree_gist;

CREATE SCHEMA harbour;
SET search_path TO harbour, public;

-- What a berth can be.
CREATE TYPE berth_state AS ENUM ('free', 'taken', 'closed for repair');

CREATE TYPE harbour.position AS (
  latitude  double precision,
  longitude double precision
);

CREATE DOMAIN metres AS numeric(6, 2) CHECK (VALUE >= 0);

CREATE SEQUENCE ticket_numbers START 1000;

/* Where ships lie.
   One row a berth. */
CREATE TABLE berths (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name        text NOT NULL UNIQUE,
  -- at low water
  depth       metres NOT NULL DEFAULT 0,
  state       berth_state NOT NULL DEFAULT 'free',
  "position"  point,
  tags        text[] DEFAULT '{}'::text[],
  price       numeric(10, 2) CHECK (price > 0 AND price < 10000),
  CONSTRAINT deep_enough CHECK (depth < 40)
);

create table if not exists harbour.ships (
  imo      char(7) primary key,
  name     varchar(80) not null,
  length   metres,
  draught  metres,
  owner_id integer references owners (id) on delete set null
);

CREATE TABLE harbour.stays (
  id     serial,
  berth  bigint NOT NULL REFERENCES berths,
  ship   char(7) NOT NULL,
  during tstzrange NOT NULL,
  PRIMARY KEY (id),
  FOREIGN KEY (ship) REFERENCES harbour.ships (imo)
);

COMMENT ON TABLE berths IS 'Where ships lie';

CREATE TEMPORARY TABLE imports (line text);

CREATE TABLE totals AS
  SELECT berth, count(*) AS stays
  FROM harbour.stays
  GROUP BY berth;

ALTER TABLE berths ADD COLUMN notes text;

CREATE INDEX berths_by_state ON berths (state);
-- One ship at a time.
CREATE UNIQUE INDEX IF NOT EXISTS stays_by_ship
  ON harbour.stays USING btree (ship, lower(during))
  WHERE upper_inf(during);

CREATE VIEW free_berths AS
  SELECT id, name, depth
  FROM berths
  WHERE state = 'free';

-- Who lies where now.
CREATE OR REPLACE VIEW harbour.present (berth, ship) AS
WITH now_there AS (
  SELECT * FROM harbour.stays WHERE during @> now()
)
SELECT b.name, s.name
FROM now_there n
JOIN berths b ON b.id = n.berth
JOIN harbour.ships s ON s.imo = n.ship;

CREATE MATERIALIZED VIEW monthly AS
SELECT date_trunc('month', lower(during)) AS month, sum(1) AS stays
FROM harbour.stays
GROUP BY 1;

-- How long a ship has stayed.
CREATE FUNCTION hours(stay tstzrange) RETURNS numeric AS $$
  SELECT extract(epoch FROM upper(stay) - lower(stay)) / 3600;
$$ LANGUAGE sql IMMUTABLE;

CREATE OR REPLACE FUNCTION harbour.book(ship char, berth bigint)
RETURNS bigint
LANGUAGE plpgsql
AS $body$
DECLARE
  ticket bigint;
BEGIN
  IF NOT EXISTS (SELECT 1 FROM berths WHERE id = berth) THEN
    RAISE EXCEPTION 'no berth %', berth;
  END IF;
  INSERT INTO harbour.stays (berth, ship, during)
  VALUES (berth, ship, tstzrange(now(), NULL))
  RETURNING id INTO ticket;
  -- CREATE TABLE not_a_table (id int);
  RETURN ticket;
END;
$body$;

CREATE FUNCTION deepest() RETURNS SETOF berths
  LANGUAGE sql STABLE
  RETURN (SELECT max(depth) FROM berths);

CREATE FUNCTION note_change() RETURNS trigger AS $$
BEGIN
  NEW.notes := coalesce(NEW.notes, '') || ' geändert';
  RETURN NEW;
END
$$ LANGUAGE plpgsql;

CREATE TRIGGER berth_changed
  BEFORE UPDATE ON berths
  FOR EACH ROW EXECUTE FUNCTION note_change();

CREATE PROCEDURE close_month(at date)
LANGUAGE sql
AS $$
  REFRESH MATERIALIZED VIEW monthly;
$$;

INSERT INTO berths (name, depth) VALUES
  ('North 1', 6.5),
  ('North 2; create view x', 7);

UPDATE berths SET state = 'closed for repair' WHERE name = 'North 2';

CREATE ROLE clerk;
GRANT SELECT ON free_berths TO clerk;
CREATE POLICY own_stays ON harbour.stays FOR SELECT USING (ship = current_user);

SELECT name FROM harbour.present ORDER BY 1;
