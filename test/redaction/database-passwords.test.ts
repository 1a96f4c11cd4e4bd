import { expect, it } from 'vitest'
import { redisBatchCall, redisCall } from '../../src/boundaries/drivers/redis/redis-call.ts'
import { createRedactor } from '../../src/redaction/redactor.ts'

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
])('finds the password in %j', (command) => {
  for (const { input } of [redisCall('redis', command), redisBatchCall('redis', 'MULTI', [command])]) {
    const redacted = JSON.stringify(createRedactor().value(input))
    expect(redacted).not.toContain(secret)
    expect(redacted).toContain('REDACTED')
  }
})

it('leaves other arguments as they are', () => {
  expect(redisCall('redis', ['HSET', 'user:1', 'name', 'Ada', 'age', '36']).input).toEqual(['user:1', 'name', 'Ada', 'age', '36'])
  expect(redisCall('redis', ['CONFIG', 'GET', 'requirepass']).input).toEqual(['GET', 'requirepass'])
})
