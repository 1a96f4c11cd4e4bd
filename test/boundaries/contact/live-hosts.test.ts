import { expect, it } from 'vitest'
import { isLiveHost } from '../../../src/http/live-hosts.ts'

const cases: readonly (readonly [host: string, live: readonly string[], isLive: boolean])[] = [
  ['db.internal:5432', ['db.internal'], true],
  ['db.internal:5432', ['db.internal:5432'], true],
  ['db.internal:5432', ['db.internal:6379'], false],
  ['db.internal:5432', ['internal'], false],
  ['db.internal', ['db.internal'], true],
  ['[fd00::1]:5432', ['fd00::1'], true],
  ['/run/postgres.sock', ['/run/postgres.sock'], true],
  ['git', ['git'], true],
  ['localhost:5432', ['localhost'], true],
  ['api.localhost:80', ['localhost'], true],
  ['127.0.0.1:5432', ['localhost'], true],
  ['127.1.2.3:5432', ['localhost'], true],
  ['[::1]:5432', ['localhost'], true],
  ['[::ffff:127.0.0.1]:5432', ['localhost'], true],
  ['127.0.0.1:5432', ['127.0.0.1'], true],
  ['localhost:5432', ['127.0.0.1'], false],
  ['127.0.0.1.example.com:80', ['localhost'], false],
  ['127.0.0.1:0 (bound)', ['localhost'], true],
  ['*:5000 (bound)', ['*:5000 (bound)'], true],
  ['*:5000 (bound)', ['localhost'], false],
  ['localhost:5432', [], false],
]

it.each(cases)('%s, live: %j: %j', (host, live, isLive) => {
  expect(isLiveHost(host, live)).toBe(isLive)
})
