import { afterAll, beforeAll, expect, it } from 'vitest'
import { createInspectedProject, type InspectedProject } from './inspected-project.ts'

// Agents that cannot be inspected: what is said instead, and that nothing is shown.

const files = {
  'agent.ts': `
import { tool } from 'goldenrun'
const look = tool('look', { effect: 'read' }, async ({ at }: { at: string }) => ({ at }))
const isInspected = () => Object.getOwnPropertySymbols(globalThis).some((symbol) => String(symbol).includes('goldenrun.inspection'))

/** Does something else when an inspector is there. */
export async function shy({ secret }: { secret: string }): Promise<string> {
  const found = await look({ at: secret })
  return isInspected() ? 'inspected' : found.at
}

export async function leaving(): Promise<string> {
  const found = await look({ at: 'home' })
  if (process.env.LEAVES === 'yes') process.exit(3)
  return found.at
}
`,
}

let project: InspectedProject

beforeAll(async () => {
  project = await createInspectedProject({ shy: './agent.ts#shy', leaving: './agent.ts#leaving' }, files)
})

afterAll(() => project[Symbol.asyncDispose]())

it('shows nothing of a run that the inspector has changed', async () => {
  await project.record('shy', { secret: 'the word' })
  for (const command of ['inspect', 'debug']) {
    const { status, stdout, stderr } = await project.run([command, 'latest'])
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toBe(
      'The replay with an inspector differs from the one without, so nothing is shown. The agent depends on real time, or on what other runs left in its process. ' +
        'npx goldenrun replay shows whether it replays at all.\n',
    )
  }
})

it('shows an agent that ends its process up to where it does', async () => {
  await project.record('leaving', {})
  const { status, stdout, stderr } = await project.run(['inspect', 'latest'], { LEAVES: 'yes' })
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/^Step 1 {2}tool look\n/)
  expect(stdout).toMatch(/\nThe replay diverged from the recorded run at step 1, and stopped\. npx goldenrun replay \S+ shows why\.\n$/)
})

it('names the option that names no agent, and counts every value for the limit', async () => {
  await project.write(
    'inspects.ts',
    `
import { inspect } from 'goldenrun/replay'
const id = process.argv[2] ?? ''
const failed = await inspect(id, { agent: './nope.ts#nope' }).catch((error: Error) => [(error as { code?: string }).code, error.message])
const { steps } = await inspect(id, { limits: { values: 1 } })
process.stdout.write(JSON.stringify([failed, steps[0]?.after?.[0]?.scopes]), () => process.exit(0))
`,
  )
  const { recordings } = JSON.parse((await project.run(['list', '--json'])).stdout) as {
    readonly recordings: readonly { readonly id: string }[]
  }
  const { stdout } = await project.runNode(['inspects.ts', recordings[0]?.id ?? ''])
  const [[code, message], scopes] = JSON.parse(stdout) as [[string, string], unknown]
  expect(code).toBe('GOLDENRUN_OPTIONS')
  expect(message).toMatch(/^inspect: the option "agent" names \S*nope\.ts, which could not be loaded: /)
  expect(JSON.stringify(scopes)).toContain('{"found":{"at":{"$":{"unread":"values"}}}}')
})

it('names a missing step', async () => {
  const { status, stderr } = await project.run(['inspect', 'latest', '--at', '9'])
  expect([status, stderr]).toEqual([2, expect.stringMatching(/^There is no step 9 in "[^"]+": it has 1 step\.\n$/)])
})

it('writes a file only when it is asked to, and finds where a variable changes', async () => {
  const found = await project.run(['inspect', 'latest', '--find', 'found.at', '--json', '--out', 'found.json'])
  expect(found).toEqual({ status: 0, stdout: '', stderr: '' })
  const line = await project.lineOf('agent.ts', "if (process.env.LEAVES === 'yes')")
  expect(JSON.parse(await project.read('found.json'))).toEqual({
    find: 'found.at',
    changes: [
      {
        step: 1,
        moment: 'after',
        frame: { function: 'leaving', file: 'agent.ts', line, column: expect.any(Number) as number },
        value: 'home',
      },
    ],
  })
  expect((await project.run(['inspect', 'latest', '--find', 'nobody'])).stdout).toBe('No variable at any step has nobody.\n')
  const shown = await project.run(['show', 'latest', '--variables', '--no-pager'])
  expect(shown.stdout).toContain('    found = { at: "home" }\n')
})
