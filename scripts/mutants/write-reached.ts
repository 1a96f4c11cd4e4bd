import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import { afterAll, expect } from 'vitest'
import { REACHED } from './write-mutants.ts'

// Before a test file: a fresh set for what it reaches. Behind it: a line of what it reached.
const reached = new Set<string>()
const log = process.env['GOLDENRUN_REACHED'] ?? ''
Object.defineProperty(globalThis, Symbol.for(REACHED), { value: reached, configurable: true })

afterAll(() => {
  const file = relative(process.cwd(), expect.getState().testPath ?? '')
  appendFileSync(log, `${JSON.stringify({ file, reached: [...reached].map(Number) })}\n`)
})
