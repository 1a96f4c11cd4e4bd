import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import { afterAll, expect } from 'vitest'
import { REACHED } from './write-mutants.ts'

// Before a test file, starts a fresh set of reached mutants; after it, writes a line with them.
const reached = new Set<string>()
const log = process.env['GOLDENRUN_REACHED'] ?? ''
Object.defineProperty(globalThis, Symbol.for(REACHED), { value: reached, configurable: true })

afterAll(() => {
  const file = relative(process.cwd(), expect.getState().testPath ?? '')
  appendFileSync(log, `${JSON.stringify({ file, reached: [...reached].map(Number) })}\n`)
})
