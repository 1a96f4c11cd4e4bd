import { describe, expect, it } from 'vitest'
import { createRedactor } from '../../src/redaction/redactor.ts'
import { createRuleSet } from '../../src/redaction/rule-set.ts'

const secret = 'correct horse'
const redact = (value: unknown): string => JSON.stringify(createRedactor().value(value))

describe('values of a statement', () => {
  it.each<[string, unknown]>([
    ['INSERT INTO users (name, password) VALUES ($1, $2)', ['Ada', secret]],
    ['INSERT INTO users (name, password) VALUES (?, ?), (?, ?)', ['Ada', 'x', 'Bob', secret]],
    [
      'INSERT INTO users (name, password) VALUES ?',
      [
        [
          ['Ada', 'x'],
          ['Bob', secret],
        ],
      ],
    ],
    ['INSERT INTO users (name, api_key) SELECT $2, $1', [secret, 'Ada']],
    ['UPDATE users SET password = crypt($1, gen_salt($3)) WHERE name = $2', [secret, 'Ada', 'bf']],
    ['SELECT * FROM users WHERE name = ? AND access_token IN (?, ?)', ['Ada', 'x', secret]],
    ['SELECT * FROM users WHERE name = $1 AND api_key = ANY($2)', ['Ada', ['x', secret]]],
    ['INSERT INTO users (name, password) VALUES (:name, :hidden)', { name: 'Ada', hidden: secret }],
    ['INSERT INTO users (name, password) VALUES (@name, @hidden)', { '@name': 'Ada', '@hidden': secret }],
    ['INSERT INTO users (name, client_secret, password) VALUES (?, $first, ?)', [{ $first: secret }, 'Ada', secret]],
    ['INSERT INTO users (name, password) VALUES (?)', [['Ada', secret]]],
  ])('are looked at by the names of their columns: %s', (sql, values) => {
    const redacted = redact({ sql, values })
    expect(redacted).not.toContain('horse')
    expect(redacted).toContain('Ada')
    expect(createRedactor().value(JSON.parse(redacted))).toEqual(JSON.parse(redacted))
  })

  it.each<[string, unknown]>([
    ['INSERT INTO users (password_hint, name) VALUES (?, ?)', [secret, 'Ada']],
    ['SELECT * FROM notes WHERE text = $1', [secret]],
    ['SELECT $1 AS text', [secret]],
  ])('are left alone where no column is secret: %s', (sql, values) => {
    expect(createRedactor().value({ sql, values })).toEqual({ sql, values })
  })
})

describe('rows of a result', () => {
  const rows = [
    ['Ada', secret],
    ['Bob', null],
  ]

  it.each<[string, object]>([
    ['fields', { fields: [{ name: 'name' }, { name: 'password' }] }],
    ['columns', { columns: [{ name: 'name' }, { name: 'password' }] }],
    ['names', { columns: ['name', 'password'] }],
    ['another name in the statement', { fields: [{ name: 'name' }, { name: 'p', orgName: 'password' }] }],
    ['another name in the table', { fields: [{ name: 'name' }, { name: 'p', column: 'password' }] }],
  ])('are looked at by the names of their columns: %s', (_, described) => {
    for (const value of [{ ...described, rows }, [{ ...described, rows }], { reply: { ...described, rows } }]) {
      const redacted = redact(value)
      expect(redacted).not.toContain('horse')
      expect(redacted).toContain('Ada')
      expect(redacted).toContain('Bob')
    }
  })

  it('have a card number found in any column', () => {
    const card = '4111111111111111'
    for (const name of ['id', 'order_id', 'note']) expect(redact({ fields: [{ name }], rows: [[card]] })).not.toContain(card)
  })

  it('are reached by the paths of a rule, by name and by place', () => {
    const result = {
      fields: [{ name: 'id' }, { name: 'city' }],
      rows: [
        ['1', 'Paris'],
        ['2', 'Rome'],
      ],
    }
    for (const path of ['city', 'rows[*].city', 'rows[*][1]']) {
      const redactor = createRedactor({ ruleSet: createRuleSet({ rules: [{ name: 'city', path }] }) })
      const redacted = JSON.stringify(redactor.value(result))
      expect(redacted).not.toMatch(/Paris|Rome/)
      expect(redacted).toContain('"1"')
    }
  })

  it('give the value of a column the stand-in that it has as a field', () => {
    const value = createRedactor().value({ password: secret, found: { fields: [{ name: 'password' }], rows: [[secret]] } })
    expect(value).toMatchObject({ found: { rows: [[(value as { password: string }).password]] } })
  })

  it('say nothing of JSON within a cell, and of what comes behind the result', () => {
    const value = {
      first: { fields: [{ name: 'password' }], rows: [['x'], [JSON.stringify([[['plain text']]])]] },
      behind: [['plain text']],
    }
    expect(JSON.stringify(createRedactor().value(value))).toContain('"behind":[["plain text"]]')
  })
})

it.each([
  `INSERT INTO users (name, password) VALUES ('Ada', '${secret}')`,
  `INSERT INTO users (name, "password") VALUES ('Ada', '${secret}'), ('Bob', '${secret}')`,
  `insert into users(name,\`api_key\`)\n  values ("Ada", "${secret}")`,
  `REPLACE INTO users (name, password) VALUES ('Ada', crypt('${secret}', gen_salt('bf')))`,
  JSON.stringify({ sql: `INSERT INTO users (name, password)\nVALUES\n  ('Ada', '${secret}')` }),
  JSON.stringify({ sql: `INSERT INTO users (name, "password") VALUES ('Ada', '${secret}')` }),
])('finds what a statement inserts into a column for passwords: %s', (sql) => {
  const redacted = createRedactor().text(sql)
  expect(redacted).not.toContain('horse')
  expect(redacted).toContain('Ada')
  expect(createRedactor().text(redacted)).toBe(redacted)
})

it('finds a text that a column for passwords has as bytes', () => {
  const bytes = Buffer.from(secret)
  const value = createRedactor().value({
    asked: { sql: 'INSERT INTO users (password) VALUES (?)', values: [{ $: { bytes: bytes.toString('base64'), as: 'Buffer' } }] },
    found: { fields: [{ name: 'password' }], rows: [[bytes]] },
    other: { fields: [{ name: 'picture' }], rows: [[bytes]] },
  }) as { asked: { values: [{ $: { bytes: string } }] }; found: { rows: [[Uint8Array]] }; other: { rows: [[Uint8Array]] } }
  const [written, read, other] = [Buffer.from(value.asked.values[0].$.bytes, 'base64'), value.found.rows[0][0], value.other.rows[0][0]]
  expect(written).toEqual(Buffer.from(read))
  expect(read).toHaveLength(bytes.length)
  expect(Buffer.from(read).includes('horse')).toBe(false)
  expect(other).toEqual(bytes)
})

it.each([
  `SELECT * FROM users WHERE api_key IN ('x', '${secret}')`,
  `SELECT * FROM users WHERE '${secret}' = access_token`,
  `SELECT * FROM users WHERE password = ANY(ARRAY['x', '${secret}'])`,
  `UPDATE users SET (name, password) = ('Ada', '${secret}')`,
  `UPDATE users SET data = json_set(data, '$.client_secret', '${secret}')`,
  `UPDATE users SET password = crypt('${secret}', gen_salt('des'))`,
])('finds the texts of a statement by their columns: %s', (sql) => {
  const { sql: redacted } = createRedactor().value({ sql })
  expect(redacted).not.toContain('horse')
  expect(createRedactor().value({ sql: redacted })).toEqual({ sql: redacted })
  // Whatever was made of the same text elsewhere before.
  expect(JSON.stringify(createRedactor().value([sql, { sql }]).at(-1))).not.toContain('horse')
  for (const kept of ['Ada', 'des', 'name']) expect(redacted.includes(kept)).toBe(sql.includes(kept))
})

it.each([
  'UPDATE users SET password=client_secret',
  'DELETE FROM users WHERE password=password_hint',
  'INSERT INTO users (a) VALUES (1) ON CONFLICT DO UPDATE SET password=excluded.password',
  'UPDATE users SET password=b.client_secret FROM b',
  'UPDATE users SET password=upper(password)',
])('takes a column for no secret: %s', (sql) => {
  const redactor = createRedactor()
  expect(redactor.value({ sql })).toEqual({ sql })
  expect(redactor.value({ sql: "UPDATE users SET password='client_secret'" })).not.toEqual({
    sql: "UPDATE users SET password='client_secret'",
  })
})
