import { expect, it } from 'vitest'
import { redisBatchCall, redisCall } from '../../src/boundaries/drivers/redis/redis-call.ts'
import { createRedactor } from '../../src/redaction/redactor.ts'
import { toRecorded } from '../../src/trace/values.ts'

const secret = 'correct horse'

it.each([
  `CREATE USER 'app'@'%' IDENTIFIED BY '${secret}'`,
  `create user app identified by "${secret}"`,
  `CREATE USER app IDENTIFIED WITH mysql_native_password BY '${secret}'`,
  `ALTER USER app IDENTIFIED VIA ed25519 USING PASSWORD('${secret}')`,
  `SET PASSWORD FOR 'app'@'%' = PASSWORD('${secret}')`,
  `SET PASSWORD = '${secret}'`,
  `ALTER ROLE app WITH ENCRYPTED PASSWORD '${secret}' VALID UNTIL 'infinity'`,
  `CREATE ROLE app LOGIN PASSWORD '${secret}'`,
  `CREATE ROLE app LOGIN PASSWORD 'it''s ${secret}'`,
  `ALTER USER app IDENTIFIED BY 'it\\'s ${secret}'`,
  `UPDATE users SET password = '${secret}' WHERE id = 1`,
  `UPDATE users SET \`password\` = '${secret}' WHERE id = 1`,
  `INSERT INTO users SET \`api_key\`='${secret}', name = 'Ada'`,
  `UPDATE users SET users.\`Client_Secret\` = _utf8mb4 '${secret}'`,
  `UPDATE users SET [password] = N'${secret}'`,
  `UPDATE users SET "password" = '${secret}'`,
  `UPDATE users SET "password" = E'${secret}'`,
  `ALTER ROLE app PASSWORD E'it\\'s ${secret}'`,
  `ALTER ROLE app WITH PASSWORD $$${secret}$$ LOGIN`,
  `ALTER ROLE app PASSWORD $word$${secret}$word$`,
  `PRAGMA key = '${secret}'`,
  `PRAGMA main.rekey="${secret}"`,
  `pragma hexkey('${secret}')`,
  `ATTACH DATABASE 'orders.db' AS orders KEY '${secret}'`,
  `SELECT pgp_sym_decrypt(data, '${secret}') FROM notes`,
  `SELECT pgp_sym_encrypt('some text', '${secret}')`,
  `UPDATE notes SET data = AES_ENCRYPT(concat(a, 'b'), '${secret}')`,
  `SELECT set_config('app.api_key', '${secret}', true)`,
  JSON.stringify({ sql: `PRAGMA key = "${secret}"` }),
  JSON.stringify({ sql: `UPDATE users SET \`password\` = '${secret}'` }),
  JSON.stringify({ sql: `UPDATE users SET \`password\` = "${secret}"` }),
])('finds the password in %s', (sql) => {
  const redacted = createRedactor().text(sql)
  expect(redacted).not.toContain('horse')
  expect(createRedactor().text(redacted)).toBe(redacted)
})

it.each([
  'ALTER ROLE app PASSWORD NULL',
  "SELECT 'password' AS label, 'orders' AS name",
  'CREATE USER app IDENTIFIED BY ?',
  "SELECT * FROM users WHERE identified = 'yes'",
  'UPDATE users SET `password` = ? WHERE `name` = ?',
  "UPDATE users SET `name` = 'Ada', [city] = N'Paris'",
  'ALTER ROLE app PASSWORD $1',
  "PRAGMA table_info('orders')",
  "ATTACH DATABASE 'orders.db' AS orders",
  "SELECT set_config('search_path', 'public', false)",
  "SELECT pgp_sym_decrypt(data, $1), 'some text' FROM notes",
])('leaves %s as it is', (sql) => {
  expect(createRedactor().text(sql)).toBe(sql)
})

it.each([
  [['AUTH', 'app', secret]],
  [['HELLO', '3', 'AUTH', 'app', secret]],
  [['CONFIG', 'SET', 'requirepass', secret]],
  [['CONFIG', 'SET', 'maxmemory', '1mb', 'masterauth', secret]],
  [['ACL', 'SETUSER', 'app', 'on', `>${secret}`, '~*', '+@all']],
  [['MIGRATE', '10.0.0.1', '6379', '', '0', '5000', 'AUTH', secret, 'KEYS', 'a']],
  [['MIGRATE', '10.0.0.1', '6379', '', '0', '5000', 'AUTH2', 'app', secret, 'KEYS', 'a']],
  [['HSET', 'user:1', 'name', 'Ada', 'password', secret]],
  [['SET', 'user:1:api_key', secret]],
  [['SETEX', 'user:1:api_key', '60', secret]],
  [['MSET', 'a', 'b', 'user:1:api_key', secret]],
  [['XADD', 's', 'MAXLEN', '~', '10', '*', 'name', 'Ada', 'password', secret]],
  [['HSETEX', 'u', 'EX', '60', 'FIELDS', '1', 'password', secret]],
])('finds the password in %j', (command) => {
  for (const { input } of [redisCall('redis', command), redisBatchCall('redis', 'MULTI', [command])]) {
    const redactor = createRedactor()
    const redacted = JSON.stringify(redactor.value(input))
    expect(redacted).not.toContain(secret)
    expect(redactor.standIns.find(redacted)).not.toEqual([])
  }
})

it('leaves other arguments as they are', () => {
  expect(redisCall('redis', ['HSET', 'user:1', 'name', 'Ada', 'age', '36']).input).toEqual(['user:1', 'name', 'Ada', 'age', '36'])
  expect(redisCall('redis', ['CONFIG', 'GET', 'requirepass']).input).toEqual(['GET', 'requirepass'])
})

it.each<[command: readonly unknown[], reply: unknown]>([
  [['HGET', 'u', 'password'], secret],
  [['HGET', 'u', 'password'], Buffer.from(secret)],
  [
    ['HMGET', 'u', 'name', 'password'],
    ['Ada', secret],
  ],
  [
    ['HGETALL', 'u'],
    ['name', 'Ada', 'password', secret],
  ],
  [
    ['HSCAN', 'u', '0'],
    ['0', ['name', 'Ada', 'password', secret]],
  ],
  [['XRANGE', 's', '-', '+'], [['1-1', ['name', 'Ada', 'password', secret]]]],
  [['XREAD', 'STREAMS', 's', '0'], [['s', [['1-1', ['name', 'Ada', 'password', secret]]]]]],
  [['GET', 'user:1:api_key'], secret],
  [['SET', 'user:1:api_key', 'new', 'GET'], secret],
  [
    ['MGET', 'a', 'user:1:api_key'],
    ['b', secret],
  ],
  [
    ['CONFIG', 'GET', 'require*'],
    ['requirepass', secret],
  ],
  [['CONFIG', 'GET', 'require*'], { requirepass: secret }],
  [['CONFIG', 'GET', 'require*'], new Map([['requirepass', secret]])],
])('finds the password in the reply to %j, and gives it back', (command, reply) => {
  const batch = redisBatchCall('redis', 'MULTI', [['PING'], command]).replies
  const { name, bare } = redisCall('redis', command).replies
  for (const kept of [name(reply), batch.name(['PONG', reply])]) {
    const redactor = createRedactor()
    const redacted = JSON.stringify(redactor.value(toRecorded(kept, () => undefined)))
    expect(redacted).not.toContain(secret)
    expect(redactor.standIns.find(redacted)).not.toEqual([])
  }
  expect(bare(name(reply))).toEqual(reply)
  expect(batch.bare(batch.name(['PONG', reply]))).toEqual(['PONG', reply])
})

it('leaves other replies as they are', () => {
  for (const [command, reply] of [
    [['HGET', 'u', 'name'], 'Ada'],
    [['HGET', 'u', 'password'], null],
    [['SET', 'user:1:api_key', 'new'], 'OK'],
    [
      ['HGETALL', 'u'],
      ['name', 'Ada'],
    ],
    [['HGETALL', 'u'], { name: 'Ada' }],
  ] as const)
    expect(redisCall('redis', command).replies.name(reply)).toEqual(reply)
})
