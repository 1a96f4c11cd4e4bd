import { mkdir } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { mountDead } from '../support/dead-mount.ts'
import { runNode } from '../support/run-command.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

const recorderModule = new URL('../../src/record/recorder.ts', import.meta.url).href

/** What a program does with a recorder whose disk answers nobody. */
const programs: Readonly<Record<string, string>> = {
  'closes its recorder and ends': `
    await recorder.run({ agent: 'agent', input: 'in' }, agent)
    await recorder.close()
    process.exitCode = 3`,
  'leaves its recorder open and ends': `
    await recorder.run({ agent: 'agent', input: 'in' }, agent)
    process.exitCode = 3`,
  'leaves its recorder open and exits': `
    await recorder.run({ agent: 'agent', input: 'in' }, agent)
    process.exit(3)`,
  'flushes its recorder and exits': `
    await recorder.run({ agent: 'agent', input: 'in' }, agent)
    await recorder.flush()
    process.exit(3)`,
  'has run nothing': `
    console.log('in and out')
    process.exitCode = 3`,
}

const starts = { 'once the thread that writes has started': 'await recorder.start()', 'before the thread that writes has started': '' }

/** What a program does, whether the thread has started before it does, and the code of both. */
export type DeadMountCase = readonly [what: string, start: string, program: string]

export const deadMountCases: readonly DeadMountCase[] = Object.entries(programs).flatMap(([what, program]) =>
  Object.entries(starts).map(([when, start]) => [`${what}, ${when}`, start, program] as const),
)

/** Tests that such a program ends all the same. */
export function testDeadMount([what, start, program]: DeadMountCase): void {
  it(`a process ends that ${what}, where the disk of its recordings answers nobody`, { timeout: 60_000 }, async ({ skip }) => {
    await using directory = await createTemporaryDirectory()
    await mkdir(directory.resolve('runs'))
    await using mount = await mountDead(directory.resolve('runs'))
    if (mount === undefined) skip('nothing can be mounted here')
    const source = `
      import { createRecorder } from ${JSON.stringify(recorderModule)}
      const agent = async (input) => {
        const output = input + ' and out'
        console.log(output)
        return output
      }
      const recorder = createRecorder({ store: 'runs', limits: { closeMilliseconds: 500 } })
      ${start}
      ${program}`
    const { status, stdout } = await runNode(directory.path, ['--input-type=module', '--eval', source])
    expect({ status, stdout }).toEqual({ status: 3, stdout: 'in and out\n' })
  })
}
