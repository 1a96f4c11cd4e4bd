import { appendFileSync } from 'node:fs'
import { afterAll } from 'vitest'

// A setup file: what the worker has taken of the processor until its test file is through.
afterAll(() => {
  const { user, system } = process.cpuUsage()
  appendFileSync(process.env['TOLD_CPU'], `${(user + system) / 1000}\n`)
})
