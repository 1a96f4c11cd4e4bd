import { createRequire } from 'node:module'
import { external } from '../../src/run/external.ts'
import { tool } from '../../src/run/tool.ts'
import type { AdvisedProject, Agent } from './advised-project.ts'
import { type Cases, expectGreen, unquote } from './follow.ts'

interface Pty {
  spawn(program: string, args: readonly string[], options: object): { onExit(listen: () => void): void }
}

const look = tool('look', { effect: 'read' }, async (id: string) => ({ id }))
const once: Agent = async () => [await look('one')]

/** A program that native code starts, and that no boundary records. It runs long enough to be seen. */
async function sleep(): Promise<string> {
  const pty = createRequire(import.meta.url)('@lydell/node-pty') as Pty
  await new Promise<void>((resolve) => pty.spawn('sleep', ['1'], {}).onExit(() => resolve()))
  return 'slept'
}
const sleeping: Agent = async () => [await look('one'), await sleep()].slice(0, 1)

const goldenThatSleeps = async (project: AdvisedProject): Promise<void> => {
  await project.golden(once)
  await project.use(sleeping)
}

/** Only Linux says what native code has open. */
export const nativeCases: Cases<'wrap-native' | 'allow-native'> = {
  async 'wrap-native'(project) {
    await goldenThatSleeps(project)
    await project.advised('wrap-native')
    await project.golden(async () => [await look('one'), await external('sleep', sleep)()])
    await project.holds()
  },
  async 'allow-native'(project) {
    await project.golden(once)
    const { words } = await project.advisedInTest('allow-native', sleeping)
    expectGreen(await project.evaluate(unquote(/replay\([^)]*\)/, words).replace('…', "'g', agent"), sleeping))
  },
}
