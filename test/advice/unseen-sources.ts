import crypto from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'

// Taken before any door is open: what the agent gets where a door is switched off.
const { now: dateNow } = Date
const RealDate = Date
const { random } = Math
const { randomUUID, randomBytes, randomInt } = crypto
const performanceNow = performance.now.bind(performance)
const { bigint: hrtime } = process.hrtime
const uptime = process.uptime.bind(process)
const memoryUsage = process.memoryUsage.bind(process)
const { hostname, userInfo, cpus } = os
const { readFileSync, statSync } = fs
const getRandomValues = crypto.webcrypto.getRandomValues.bind(crypto.webcrypto)

/** A source of values: its door, or something that has none. */
export interface Source {
  /** How the agent's package reads it: code. */
  readonly code: string
  /** What the agent gets in a replay in which the door is switched off. */
  readonly real: () => unknown
}

/** What has no door: the package gives the same in each process, until its world is another. */
const unseen = (other: () => unknown): Source => ({ code: "'as recorded'", real: other })

export const sources: Readonly<Record<string, Source>> = {
  'crypto.randomUUID': { code: 'crypto.randomUUID()', real: () => randomUUID() },
  'crypto.randomBytes': { code: "crypto.randomBytes(9).toString('hex')", real: () => randomBytes(9).toString('hex') },
  'crypto.randomInt': { code: 'crypto.randomInt(1, 1e9)', real: () => randomInt(1, 1e9) },
  'crypto.getRandomValues': {
    code: "Buffer.from(crypto.webcrypto.getRandomValues(new Uint8Array(9))).toString('hex')",
    real: () => Buffer.from(getRandomValues(new Uint8Array(9))).toString('hex'),
  },
  'Math.random': { code: 'Math.random()', real: () => random() },
  'Date.now': { code: 'Date.now()', real: () => dateNow() },
  'new Date': { code: 'new Date().getTime()', real: () => new RealDate().getTime() + 1 },
  'performance.now': { code: 'performance.now()', real: () => performanceNow() },
  'process.hrtime': { code: 'String(process.hrtime.bigint())', real: () => String(hrtime()) },
  'process.uptime': { code: 'process.uptime()', real: () => uptime() },
  'process.memoryUsage': { code: "'as recorded'", real: () => memoryUsage().heapUsed },
  'os.hostname': { code: 'os.hostname()', real: () => `${hostname()}-other` },
  'os.userInfo': { code: 'os.userInfo().username', real: () => `${userInfo().username}-other` },
  'os.cpus': { code: "'as recorded'", real: () => `${cpus().length} more` },
  'fs.readFileSync': {
    code: "fs.readFileSync(new URL('../../data.txt', import.meta.url), 'utf8')",
    real: () => `${readFileSync(import.meta.filename, 'utf8').length}`,
  },
  'fs.statSync': { code: "'as recorded'", real: () => statSync(import.meta.filename).mtimeMs },
  'a signature of OpenSSL': unseen(() => {
    const { privateKey } = crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' })
    return crypto.sign('sha256', Buffer.from('order'), privateKey).toString('base64url')
  }),
  'an addon': unseen(() => randomBytes(12).toString('base64url')),
  'a counter of a package': unseen(() => `call ${randomInt(2, 1e6)}`),
  'an unnamed environment variable': unseen(() => `value ${randomInt(1, 1e6)}`),
}

/** What the agent does with a value: code within its function, where `value` is it and `bit` is 0 or 1 by it. */
export const uses: Readonly<Record<string, string>> = {
  'a body': 'return (await post("/orders", { id: 1, value })).path',
  'a further call': 'await post("/orders", {}); if (bit === 1) await look("more"); return "done"',
  'an outcome': 'await post("/orders", {}); return { value }',
  'a model': 'await post("/v1/chat/completions", { model: bit === 1 ? "gpt-5" : "gpt-5-mini", messages: [] }); return "done"',
  'a header': 'await post("/orders", {}, { "x-order": String(value) }); return "done"',
  'an argument': 'await look(String(value)); return "done"',
  'a checkpoint': 'await look("one"); checkpoint("state", { value }); return "done"',
  'a call that is left out': 'if (bit === 0) await look("first"); await post("/orders", {}); return "done"',
  'an order': 'for (const id of bit === 1 ? ["one", "two"] : ["two", "one"]) await look(id); return "done"',
  'a contact': 'await look("one"); if (bit === 1) await connect(); return "done"',
  'an address': 'await post(`/orders/${encodeURIComponent(String(value))}`, {}); return "done"',
}

/** Three uses of each source: sixty agents whose code does not change, and whose replay differs. */
export const rows: readonly (readonly [source: string, use: string])[] = Object.keys(sources).flatMap((source, index) =>
  [0, 1, 2].map((each) => [source, Object.keys(uses)[(index * 3 + each) % Object.keys(uses).length] ?? ''] as const),
)
