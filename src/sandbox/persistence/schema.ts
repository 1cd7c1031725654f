/** Marks the file as this program's: `PITD`. */
export const applicationId = 0x50495444

/**
 * What leads from each format of the file to the next; the first makes it out of an empty one. A format's number is how
 * many of these it has behind it, so a new one is added at the end and none is ever changed.
 *
 * `journal`: the commands since the snapshot in their order, one row for each transaction; `commands` is a JSON array.
 * `event_count` is how many events they had, which a replay must reproduce. `checksum` is the CRC-32 of the text.
 * `snapshot`: the newest one; its text lies in pieces. `sequence` is the last command that is in it. `orders`: ended
 * orders. Ids ascend with `at_ms`, in both tables, so no index holds a time. `ending` is the status and whether the
 * order had traded (see `endings` in order-rows.ts). Amounts that leave the 64-bit integers are text. `gateway_order`:
 * what its last event says is its state. `gateway_event` is the outbox, in the order of the changes. `delivery`: an
 * event on its way to an endpoint; `at_ms` is when something is due, or when it ended. Words without a status say why
 * an attempt had no answer. `delivery_taken`: up to where the outbox has been made into deliveries.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE journal (
    last_sequence INTEGER PRIMARY KEY,
    command_count INTEGER NOT NULL,
    event_count INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    commands TEXT NOT NULL
  ) STRICT;
  CREATE TABLE snapshot (
    generation INTEGER PRIMARY KEY,
    sequence INTEGER NOT NULL,
    piece_count INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE snapshot_piece (
    id INTEGER PRIMARY KEY,
    generation INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    content TEXT NOT NULL
  ) STRICT;
  CREATE TABLE note (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  CREATE TABLE orders (
    id INTEGER PRIMARY KEY,
    account INTEGER NOT NULL,
    ending INTEGER NOT NULL,
    symbol TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    cl_ord_id TEXT NOT NULL,
    side TEXT NOT NULL,
    ord_type TEXT NOT NULL,
    time_in_force TEXT NOT NULL,
    exec_inst TEXT,
    expires_at_ms INTEGER,
    order_lots INTEGER NOT NULL,
    limit_ticks INTEGER,
    stop_ticks INTEGER,
    maker_ppm INTEGER NOT NULL,
    taker_ppm INTEGER NOT NULL,
    text TEXT,
    open_lots INTEGER NOT NULL,
    cum_lots INTEGER NOT NULL,
    cum_tick_lots TEXT NOT NULL,
    last_ticks INTEGER,
    last_lots INTEGER,
    refused TEXT
  ) STRICT;
  CREATE INDEX orders_by_ending ON orders (account, ending);
  CREATE INDEX orders_by_symbol ON orders (account, symbol, ending);
  CREATE TABLE fills (
    id INTEGER PRIMARY KEY,
    account INTEGER NOT NULL,
    symbol TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    trade_id INTEGER NOT NULL,
    order_id INTEGER NOT NULL,
    side TEXT NOT NULL,
    ticks INTEGER NOT NULL,
    lots INTEGER NOT NULL,
    fee_units TEXT NOT NULL
  ) STRICT;
  CREATE INDEX fills_by_account ON fills (account);
  CREATE INDEX fills_by_symbol ON fills (account, symbol);
  `,
  `
  CREATE TABLE gateway_partner (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, content TEXT NOT NULL) STRICT;
  CREATE TABLE gateway_order (
    number INTEGER PRIMARY KEY,
    order_id TEXT NOT NULL UNIQUE,
    partner TEXT NOT NULL,
    last_sequence INTEGER NOT NULL,
    is_ended INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX gateway_order_living ON gateway_order (number) WHERE is_ended = 0;
  CREATE TABLE gateway_event (
    sequence INTEGER PRIMARY KEY,
    event_id TEXT NOT NULL UNIQUE,
    order_number INTEGER NOT NULL,
    made_at_ms INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX gateway_event_by_order ON gateway_event (order_number);
  `,
  `
  CREATE TABLE webhook_endpoint (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    partner TEXT NOT NULL,
    url TEXT NOT NULL,
    registered_at_ms INTEGER NOT NULL,
    is_removed INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE delivery (
    id INTEGER PRIMARY KEY,
    endpoint INTEGER NOT NULL,
    event_id TEXT NOT NULL,
    order_id TEXT NOT NULL,
    order_state TEXT NOT NULL,
    mode TEXT NOT NULL,
    made_at_ms INTEGER NOT NULL,
    attempt_count INTEGER NOT NULL,
    state TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    last_status INTEGER,
    last_words TEXT,
    last_latency_ms INTEGER
  ) STRICT;
  CREATE INDEX delivery_by_state ON delivery (state, id);
  CREATE TABLE delivery_attempt (
    id INTEGER PRIMARY KEY,
    delivery INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    status INTEGER,
    words TEXT NOT NULL,
    latency_ms INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX delivery_attempt_by_delivery ON delivery_attempt (delivery);
  CREATE TABLE delivery_taken (id INTEGER PRIMARY KEY, sequence INTEGER NOT NULL) STRICT;
  `,
]

/** The tables emptied for a new world; webhook endpoints stay, like accounts. */
export const tables = [
  'journal',
  'snapshot',
  'snapshot_piece',
  'note',
  'orders',
  'fills',
  'gateway_partner',
  'gateway_order',
  'gateway_event',
  'delivery',
  'delivery_attempt',
  'delivery_taken',
] as const
