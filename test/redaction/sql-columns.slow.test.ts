import { expect, it } from 'vitest'
import { readSqlColumns } from '../../src/redaction/sql-columns.ts'

/** What stands beside each column: the keys of parameters, rows of a parameter as `2[]`, and texts as they are written. */
function columnsOf(sql: string): Record<string, unknown[]> {
  const { parameters, rows, texts } = readSqlColumns(sql)
  const found: [string, unknown][] = [
    ...[...parameters].flatMap(([key, columns]) => [...columns].map((column): [string, unknown] => [column, key])),
    ...[...rows].flatMap(([key, columns]) => columns.map((column): [string, unknown] => [column, `${key}[]`])),
    ...texts.flatMap(({ columns, start, end }) => columns.map((column): [string, unknown] => [column, sql.slice(start, end)])),
  ]
  const grouped = Map.groupBy(found, ([column]) => column)
  const known = /^(?:a|b|c|id|name|email|password|api_key|token|client_secret)$/
  return Object.fromEntries(
    [...grouped].flatMap(([column, each]) => (known.test(column) ? [[column, [...new Set(each.map(([, value]) => value))]]] : [])),
  )
}

it.each<[string, Record<string, unknown[]>]>([
  ['INSERT INTO users (email, password) VALUES ($1, $2)', { email: [0], password: [1] }],
  ['insert into users(email,password)values(?,?),(?,?)', { email: [0, 2], password: [1, 3] }],
  ['INSERT INTO shop."users" AS u ("email", "password") VALUES ($2, $1)', { email: [1], password: [0] }],
  ['INSERT OR REPLACE INTO `users` (`email`, `password`) VALUES (:email, :secret)', { email: ['email'], password: ['secret'] }],
  ['REPLACE INTO [users] ([email], [password]) VALUES (?2, ?1)', { email: [1], password: [0] }],
  ["INSERT INTO users (id, password) VALUES (1, 'it''s \\'so\\''), (2, 'b')", { password: ["it''s \\'so\\'", 'b'] }],
  ['INSERT INTO users (id, password) VALUES (1, "swordfish")', { password: ['swordfish'] }],
  ["INSERT INTO users (a, b) VALUES (crypt($1, gen_salt('bf')), $tag$x'y$tag$)", { a: [0, 'bf'], b: ["x'y"] }],
  ['INSERT INTO users (a, b) VALUES (?)', { a: ['0[]'], b: ['0[]'] }],
  ['INSERT INTO users (a, b) VALUES (CASE WHEN ? THEN 1 END, ?)', { a: [0], b: [1] }],
  ['UPDATE ?? SET name = ?, password = ?', { name: [1], password: [2] }],
  ['UPDATE users SET (name, password) = (?, ?) WHERE id = ?', { name: [0], password: [1], id: [2] }],
  ['SELECT * FROM users WHERE (name, password) IN (($1, $2), ($3, $4))', { name: [0, 2], password: [1, 3] }],
  ['SELECT * FROM users WHERE (name, password) IN (?)', { name: ['0[]'], password: ['0[]'] }],
  ['SELECT * FROM users WHERE ? = password OR lower(api_key::text) = lower(?::text)', { password: [0], api_key: [1] }],
  ['SELECT * FROM users WHERE password IS NOT DISTINCT FROM $1 AND api_key BETWEEN $2 AND $3', { password: [0], api_key: [1, 2] }],
  ['SELECT * FROM users WHERE password COLLATE nocase = ? AND name GLOB ?', { password: [0], name: [1] }],
  ["SELECT * FROM users WHERE api_key IN ('x', 'y') OR password = ANY(ARRAY['z'])", { api_key: ['x', 'y'], password: ['z'] }],
  ["SELECT * FROM users WHERE 'x' = api_key AND password = 'y' || 'z'", { api_key: ['x'], password: ['y', 'z'] }],
  ['WITH x (name, password) AS (VALUES (?, ?)) SELECT * FROM x', { name: [0], password: [1] }],
  ['SELECT * FROM (VALUES ($1, $2)) AS v (name, password)', { name: [0], password: [1] }],
  ['SELECT $2 AS password, $1 AS name', { password: [1], name: [0] }],
  ["UPDATE users SET data = json_set(data, '$.client_secret', ?) WHERE id = ?", { client_secret: [0], id: [1] }],
  ["SELECT jsonb_build_object('name', $1, 'client_secret', $2)", { name: [0], client_secret: [1] }],
  ["UPDATE users SET password = replace(?, 'x', 'y') WHERE id = ?", { password: [0], id: [1] }],
  ['SELECT max(c) FROM users GROUP BY a HAVING max(c) = ?', { c: [0] }],
  ["INSERT INTO users (a, b) VALUES (crypt('pw', gen_salt('bf')), now())", { a: ['pw'] }],
  ['INSERT INTO users (a, b) OVERRIDING SYSTEM VALUE VALUES ($1::text, $2::jsonb)', { a: [0], b: [1] }],
  ['INSERT INTO users (a, b) SELECT $1, upper($2) FROM other WHERE c = $3', { a: [0], b: [1], c: [2] }],
  ['INSERT INTO users (a, b) VALUES ?', { a: ['0[]'], b: ['0[]'] }],
  ['INSERT INTO users (a) VALUES ($1) ON CONFLICT (a) DO UPDATE SET b = $2, c = excluded.c RETURNING id', { a: [0], b: [1] }],
  ['INSERT INTO users VALUES (?, ?)', {}],
  ['UPDATE users SET password = ?, name = ? WHERE id = ? AND u.token <> ?', { password: [0], name: [1], id: [2], token: [3] }],
  ["UPDATE users SET password = 'a -- b', /* name = 'c' */ name = 'd' -- id = 'e'\nWHERE id = 3", { password: ['a -- b'], name: ['d'] }],
  ['SELECT * FROM users WHERE (api_key = $1 OR api_key IN ($2, $3)) AND name NOT LIKE $4', { api_key: [0, 1, 2], name: [3] }],
  ['SELECT * FROM users WHERE password = crypt($2, password) AND id = $1 ORDER BY id LIMIT $3', { password: [1], id: [0] }],
  ['SELECT * FROM users WHERE data ? $1 AND id = $2', { id: [1] }],
  ['SELECT * FROM users WHERE data::jsonb = $1 AND a >= $2', { a: [1] }],
  ["SELECT 'a = ?' FROM t WHERE b = ?", { b: [0] }],
  ["INSERT INTO users (email, password) VALUES ('a@b.c', 'open", { email: ['a@b.c'], password: ['open'] }],
  ['', {}],
])('finds the columns of %s', (sql, expected) => {
  expect(columnsOf(sql)).toEqual(expected)
})

it('reads a long statement in time that grows with its length', () => {
  const sql = `INSERT INTO users (a, b) VALUES ${Array.from({ length: 20_000 }, () => '(?, ?)').join(', ')}`
  expect(readSqlColumns(sql).parameters.size).toBe(40_000)
  for (const odd of [
    "'",
    '"',
    '(',
    '$a$',
    '/*',
    'a = ',
    "\\'",
    'into (',
    'into t (a) values (',
    'into t (a, b) values ?, ',
    '[a',
    '--',
    "a='",
    'a = $1, ',
    '(a, b) = (?, ?) ',
    'values (?), ',
  ])
    readSqlColumns(odd.repeat(50_000))
})
