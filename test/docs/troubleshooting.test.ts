import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import type { Cause } from '../../src/divergence/divergence.ts'
import { readPage, REPOSITORY } from './pages.ts'

const { text } = readPage('docs/troubleshooting.md')
/** The compiler holds it to the causes that there are. */
const causes: Readonly<Record<Cause, true>> = {
  input: true,
  'unexpected-call': true,
  'missing-call': true,
  order: true,
  'time-limit': true,
  outcome: true,
  checkpoint: true,
  'model-drift': true,
  'unrecorded-contact': true,
  nondeterminism: true,
}

/** These are read from the environment. */
const variables = [
  'GOLDENRUN_JEST_RESULTS',
  'GOLDENRUN_JSON_FILE',
  'GOLDENRUN_MARKDOWN_FILE',
  'GOLDENRUN_PAGES',
  'GOLDENRUN_OF_COMMIT',
  'GOLDENRUN_RECORDING_SINCE',
  'GOLDENRUN_REPLAY_JOURNAL',
  'GOLDENRUN_ISOLATED',
  'GOLDENRUN_STORE',
  'GOLDENRUN_VARIABLES',
]

/** The words in the first cells of its tables. */
const named = [...text.matchAll(/^\| (`[^|]*) \|/gm)].flatMap(([, cell = '']) =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word),
)

it('says what to do of every error code, and of no other', () => {
  const source = path.join(REPOSITORY, 'src')
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  const codes = files.flatMap((file) =>
    [...readFileSync(path.join(source, file), 'utf8').matchAll(/'(GOLDENRUN_[A-Z_]*[A-Z])'/g)].map(([, code = '']) => code),
  )
  for (const variable of variables) expect(codes).toContain(variable)
  expect(codes.length).toBeGreaterThan(20)
  expect(named.filter((word) => word.startsWith('GOLDENRUN')).toSorted()).toEqual(
    [...new Set(codes)].filter((code) => !variables.includes(code)).toSorted(),
  )
})

it('says what to do of every cause', () => {
  expect(named.filter((word) => !word.startsWith('GOLDENRUN')).toSorted()).toEqual(Object.keys(causes).toSorted())
})
