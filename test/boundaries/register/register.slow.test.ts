import { expect, it } from 'vitest'
import { runNode } from '../../support/run-command.ts'
import { createTemporaryDirectory } from '../../support/temporary-directory.ts'
import { documentedIn, documentedLines } from './documented-lines.ts'
import { openReads } from '../../conformance/reads/open-reads.ts'
import { openIn, runProbe } from './run-probe.ts'

const register = new URL('../../../src/register.ts', import.meta.url).href

it('reaches what modules take hold of when they load, and says nothing', async () => {
  const { stdout, stderr } = await runProbe('--import', register)
  expect([stderr, openIn(stdout)]).toEqual(['', { commonJs: [], modules: [] }])
})

it('keeps the doors open when the last recorder is closed', async () => {
  await using directory = await createTemporaryDirectory()
  const recorder = new URL('../../../src/record/recorder.ts', import.meta.url).href
  const agent = await directory.write(
    'agent.mjs',
    `import { createRecorder } from ${JSON.stringify(recorder)}
     const { setTimeout, Date, fetch } = globalThis
     await createRecorder({ store: 'runs' }).close()
     console.log(setTimeout === globalThis.setTimeout, Date === globalThis.Date, fetch === globalThis.fetch)`,
  )
  expect(await runNode(directory.path, ['--import', register, agent])).toEqual({ status: 0, stdout: 'true true true\n', stderr: '' })
})

it('says what the program has locked, and leaves it as it is', async () => {
  await using directory = await createTemporaryDirectory()
  const lock = await directory.write(
    'lock.mjs',
    'Object.freeze(Math); Object.defineProperty(performance.constructor.prototype, "now", { writable: false, configurable: false })',
  )
  const agent = await directory.write('agent.mjs', 'console.log(Math.random() < 1, performance.now() > 0)')
  const { stdout, stderr, status } = await runNode(directory.path, ['--import', lock, '--import', register, agent])
  expect(documentedIn(stderr)).toEqual([documentedLines[0], documentedLines[0]])
  expect([status, stdout, stderr.split('\n').toSorted()]).toEqual([
    0,
    'true true\n',
    [
      '',
      'goldenrun/register: Math.random cannot be replaced, because the program locked it: its values belong to no run.',
      'goldenrun/register: Performance.prototype.now cannot be replaced, because the program locked it: its values belong to no run.',
    ],
  ])
})

it('opens the doors of node:sqlite before a module imports it by name', async () => {
  await using directory = await createTemporaryDirectory()
  const agent = await directory.write(
    'agent.mjs',
    `import { backup, DatabaseSync } from 'node:sqlite'
     import sqlite from 'node:sqlite'
     import { isReplacement } from ${JSON.stringify(new URL('../../../src/boundaries/patches.ts', import.meta.url).href)}
     console.log(isReplacement(DatabaseSync), DatabaseSync === sqlite.DatabaseSync, isReplacement(backup))`,
  )
  const { stdout } = await runNode(directory.path, ['--import', register, agent])
  expect(stdout).toBe('true true true\n')
})

it('says what was loaded before it', async () => {
  await using directory = await createTemporaryDirectory()
  const first = await directory.write('first.cjs', "require('./second.cjs')")
  const second = await directory.write('second.cjs', '')
  const agent = await directory.write('agent.mjs', '')
  const { stderr: two } = await runNode(directory.path, ['--require', first, '--import', register, agent])
  expect(two).toBe(
    `goldenrun/register: ${first} and 1 more modules were loaded before it. ` +
      'Functions captured there belong to no run: put --import goldenrun/register first.\n',
  )
  const { stderr: one } = await runNode(directory.path, ['--require', second, '--import', register, agent])
  expect(one).toBe(
    `goldenrun/register: ${second} was loaded before it. ` +
      'Functions captured there belong to no run: put --import goldenrun/register first.\n',
  )
  expect([documentedIn(one), documentedIn(two)]).toEqual([[documentedLines[1]], [documentedLines[2]]])
})

it('says why ids depend on earlier runs where Node has no hooks for it', async () => {
  await using directory = await createTemporaryDirectory()
  const old = await directory.write(
    'old.mjs',
    `import module, { syncBuiltinESMExports } from 'node:module'
     module.registerHooks = () => { throw new Error('not here') }
     syncBuiltinESMExports()`,
  )
  const agent = await directory.write('agent.mjs', '')
  const { stderr } = await runNode(directory.path, ['--import', old, '--import', register, agent])
  expect(stderr).toBe('goldenrun/register: ids of uuid, nanoid, ulid and cuid2 may depend on earlier runs: not here\n')
  expect(documentedIn(stderr)).toEqual([documentedLines[4]])
})

it('is needed for what docs/conformance.md says it is', async () => {
  const { stdout } = await runProbe()
  const explained = openReads.filter(({ modes }) => modes.includes('node, early'))
  const open = openIn(stdout)
  const tried = JSON.parse(stdout) as Record<string, Record<string, boolean>>
  for (const kind of ['commonJs', 'modules'] as const) {
    // Not every Node has a `Temporal`.
    const names = explained.flatMap(({ probes }) => probes[kind] ?? []).filter((name) => name in (tried[kind] ?? {}))
    expect(open[kind]?.toSorted()).toEqual(names.toSorted())
  }
})
