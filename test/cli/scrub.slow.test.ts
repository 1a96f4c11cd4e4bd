import { readdirSync, readFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createDirectoryStore } from '../../src/stores/directory-store.ts'
import { endLeases, installPackage, startCommand } from '../support/kill-command.ts'
import { createRandom } from '../support/random.ts'
import { record } from '../support/recordings.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

const seed = process.env['GOLDENRUN_SEED'] ?? String(Date.now())
const store = '.goldenrun/runs'
const RUNS = 60
const config = String.raw`export default { redact: { rules: [{ name: 'people', pattern: /\bAda L\w{7}/ }] } }`

it(
  `loses no recording if it is killed, and leaves no secret once it is repeated (GOLDENRUN_SEED=${seed})`,
  { timeout: 120_000 },
  async () => {
    const random = createRandom(seed)
    await using project = await createTemporaryDirectory()
    await installPackage(project.path)
    await project.write('goldenrun.config.ts', config)
    const saved = project.resolve('saved')
    const ids: string[] = []
    for (let run = 0; run < RUNS; run += 1)
      ids.push(
        await record(saved, { input: { for: 'Ada Lovelace', run }, tags: { person: 'Ada Lovelace' } }, ({ for: name }) =>
          `Dear ${name}`.repeat(400),
        ),
      )
    await createDirectoryStore(saved).find({})
    let duration = 1500
    for (let kill = 0; kill < 5; kill += 1) {
      await cp(saved, project.resolve(store), { recursive: true, force: true })
      const begun = Date.now()
      const command = startCommand(project.path, ['scrub', store, '--yes'])
      await pause(random.whole(Math.floor(duration / 2), duration))
      command.kill()
      const { status } = await command.ended
      if (status !== undefined) duration = Date.now() - begun
      await endLeases(project.resolve(store))
      expect(await inputsOf(project.resolve(store), ids)).toEqual(ids.map((_, run) => run))

      const { status: again, output } = await startCommand(project.path, ['scrub', store, '--yes']).ended
      expect([again, output.split('\n').at(-2)]).toEqual([0, expect.stringContaining(`${RUNS} recordings searched.`)])
      expect(await inputsOf(project.resolve(store), ids)).toEqual(ids.map((_, run) => run))
      for (const id of ids) expect((await createDirectoryStore(project.resolve(store)).read(id))?.text).not.toContain('Lovelace')
      const files = readdirSync(project.resolve(store), { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
      const texts = files.map((file) => readFileSync(path.join(file.parentPath, file.name), 'latin1'))
      expect(texts.filter((text) => text.includes('Lovelace'))).toEqual([])
    }
  },
)

/** The number in the input of each run, which says that the recording can be read. */
async function inputsOf(directory: string, ids: readonly string[]): Promise<number[]> {
  const texts = await Promise.all(ids.map((id) => createDirectoryStore(directory).read(id)))
  return texts.map((stored) => (JSON.parse(stored?.text.split('\n')[0] ?? '{}') as { input: { run: number } }).input.run)
}
