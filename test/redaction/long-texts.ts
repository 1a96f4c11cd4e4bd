import { expect } from 'vitest'
import { builtInRules } from '../../src/redaction/built-in-rules.ts'
import { createRedactor } from '../../src/redaction/redactor.ts'
import { ShapedStandIns } from '../../src/redaction/shaped-stand-ins.ts'
import { createRandom } from '../support/random.ts'

/** Pieces that rules begin or go on with. */
export const pieces: readonly string[] = [
  ...'aA0 1.-_+@%/\\"\':=;,()\n\t{}[]&?'.split(''),
  'eyJ',
  '.eyJ',
  'sk-',
  'sk_live_',
  'Bearer ',
  'Basic ',
  '-----BEGIN PRIVATE KEY-----',
  '-----END',
  'password',
  '"password":"',
  'api_key=',
  'Cookie: ',
  'a=b; ',
  '%40',
  '%2B',
  '\\u0040',
  '\\n',
  '+49',
  '0000',
  '4111',
  '9999',
  '(415) ',
  '%28415%29',
  '://',
  'a.',
  'REDACTED0',
  'redacted0',
  'phone":"',
  'kind: Secret\n',
  'data:\n a: ',
  'a,password\n',
  '"kty":',
  'curl -b ',
  'aGVsbG8gd29ybGQg',
]

/** The length of the texts. */
export const LENGTH = 50_000

/**
 * The most steps that a look may take for each character of such a text. A step is what a turn of a counting loop takes of this thread's processor, in the
 * same process: a slow or a busy machine takes no more of them. On 2026-11-28 the slowest look took 230, and one that grows with the square 8000.
 */
export const BUDGET = 2000

/**
 * Looks for secrets in long texts, each of so many pieces that are repeated, and expects each look to keep within its budget: so many texts, or, of one
 * piece, one of each `every` pieces.
 */
export function expectWithinBudget(parts: number, { texts, every }: { readonly texts: number; readonly every: number }): void {
  const random = createRandom(`long texts ${parts}`)
  const units = Array.from({ length: texts }, () =>
    Array.from({ length: parts }, () => pieces[random.whole(0, pieces.length - 1)] ?? '').join(''),
  )
  for (const unit of parts === 1 ? pieces.filter((_, index) => index % every === 0) : units) {
    const text = unit.repeat(Math.ceil(LENGTH / unit.length))
    const expectFew = (what: string, look: () => void): void =>
      expect(stepsOf(look) / text.length, `${what}: steps for each character of ${JSON.stringify(unit)}, repeated`).toBeLessThan(BUDGET)
    const redactor = createRedactor()
    expectFew('redacting', () => expect(redactor.text(text).length).toBeGreaterThan(0))
    for (const standIns of [new ShapedStandIns(), redactor.standIns])
      expectFew('finding stand-ins', () => expect(standIns.find(text).length).toBeLessThan(text.length))
    for (const rule of builtInRules) expectFew(rule.name, () => expect([...rule.find(text)].length).toBeLessThan(text.length))
  }
}

/** Returns how many steps a look takes. */
export function stepsOf(look: () => void): number {
  return timeOf(look) / (microsecondsOfSteps() / STEPS)
}

const STEPS = 20_000_000
let ofSteps: number | undefined

function microsecondsOfSteps(): number {
  ofSteps ??= timeOf(() => {
    let sum = 0
    for (let step = 0; step < STEPS; step += 1) sum = (sum + step) % 1_000_003
    expect(sum).toBeLessThan(1_000_003)
  })
  return ofSteps
}

/** Microseconds of this thread's processor. */
function timeOf(work: () => void): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return user + system
}
