import childProcess from 'node:child_process'
import { afterAll, expect } from 'vitest'

/** What a test file changes for those behind it where it leaves a door open, a clock faked, or a directory entered. */
const look = (): Readonly<Record<string, unknown>> => ({
  'the working directory': process.cwd(),
  'process.env': process.env,
  Date,
  setTimeout,
  fetch,
  'childProcess.spawn': childProcess.spawn,
})

const found = look()

afterAll(() => {
  const left = look()
  const changed = Object.keys(found).filter((name) => !Object.is(found[name], left[name]))
  expect(changed, 'A test file of the project "shared" leaves its process as it found it').toEqual([])
})
