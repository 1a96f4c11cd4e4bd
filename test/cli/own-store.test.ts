import { readFile, writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { buildPackage } from '../support/build-package.ts'
import { recordCancel } from '../support/recordings.ts'
import { runCommand, type CommandResult } from '../support/run-command.ts'
import { createTemporaryDirectory, type TemporaryDirectory } from '../support/temporary-directory.ts'

const stores = `${await buildPackage()}/dist/stores.js`

/** A project whose store is an object: a class around a directory, with what it is told to leave out missing. */
async function createProject(project: TemporaryDirectory, missing: readonly string[] = []): Promise<string> {
  project.enter()
  // Its index is written a moment later, perhaps from another working directory.
  const folder = project.resolve('somewhere/else')
  const id = await recordCancel(folder)
  await writeFile(
    project.resolve('goldenrun.config.ts'),
    `import { createDirectoryStore } from ${JSON.stringify(stores)}
    class OwnStore {
      #inner = createDirectoryStore(${JSON.stringify(folder)})
      open(header) { return this.#inner.open(header) }
      list() { return this.#inner.list() }
      read(id) { return this.#inner.read(id) }
      find(...asked) { return this.#inner.find(...asked) }
      remove(id) { return this.#inner.remove(id) }
      flag(...said) { return this.#inner.flag(...said) }
    }
    for (const method of ${JSON.stringify(missing)}) delete OwnStore.prototype[method]
    export default { store: new OwnStore() }
    `,
  )
  return id
}

it('lists, shows, flags, counts, promotes and removes recordings of a store that the config makes', async () => {
  await using project = await createTemporaryDirectory()
  const id = await createProject(project)
  const run = (...args: string[]): Promise<CommandResult> => runCommand(project.path, args)
  expect((await run('list')).stdout).toContain(`Recordings in the store:\n  id `)
  expect((await run('show', id, '--step', '1')).stdout).toContain('get_order')
  expect((await run('flag', id, 'look')).stdout).toBe(`Flagged ${id}: look\n`)
  expect(JSON.parse((await run('list', '--flagged', '--json')).stdout)).toMatchObject({ recordings: [{ id, flags: ['look'] }] })
  expect(JSON.parse((await run('stats', '--json')).stdout)).toMatchObject({ runs: 1, flagged: 1 })
  expect((await run('promote', id, '--name', 'cancel', '--yes', '--no-replay')).status).toBe(0)
  expect(await readFile('golden-traces/cancel.jsonl', 'utf8')).toContain(id)
  expect(JSON.parse((await run('gc', '--flagged', '0B', '--promoted', '0B', '--delete', '--json')).stdout)).toMatchObject({
    recordings: [{ id }],
  })
  expect((await run('list')).stdout).toContain('No recordings in the store.')
}, 120_000)

it('says by name what such a store cannot do', async () => {
  await using project = await createTemporaryDirectory()
  const id = await createProject(project, ['find', 'remove', 'flag'])
  const run = (...args: string[]): Promise<CommandResult> => runCommand(project.path, args)
  const listed = await run('list')
  expect([listed.status, listed.stderr]).toEqual([0, 'Every recording was read, because the store cannot find runs (it has no "find").\n'])
  expect(listed.stdout).toContain(id)
  for (const [args, missing] of [
    [['stats'], 'find'],
    [['gc', '--successful', '1d'], 'find'],
    [['flag', id, 'look'], 'flag'],
  ] as const) {
    const { status, stderr } = await run(...args)
    expect([status, stderr]).toEqual([2, expect.stringContaining(`"${missing}"`)])
  }
  expect(await run('record', '--', 'node', '-v')).toEqual({
    status: 2,
    stdout: '',
    stderr:
      'The store of goldenrun.config.ts is neither a directory nor a URL, and goldenrun record needs one. Pass one: goldenrun record --store .goldenrun/runs -- …\n',
  })
}, 120_000)
