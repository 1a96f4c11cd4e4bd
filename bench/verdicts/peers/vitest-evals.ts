import stringify from 'fast-json-stable-stringify'
import type { DeskContext } from '../desk/context.ts'
import { PEER_PACKAGES } from '../../replay/peers/install.ts'
import type { Peer } from './peer-test.ts'

/** What is used of `vitest-evals`. */
interface Replay {
  executeWithReplay(call: {
    toolName: string
    args: unknown
    context: undefined
    execute(args: unknown): Promise<string>
    replay: { key(args: unknown): unknown }
  }): Promise<{ result: string }>
}

/** A key without the ids that are drawn anew each time, as its option for that asks for. */
const toKey = (args: unknown): unknown => JSON.parse(JSON.stringify(args ?? null).replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4,12}){4}/g, 'id'))

/**
 * vitest-evals with strict replay of tools: the model stays live, which here is the world's, and so does the customer. Its test is one that a
 * team would write: the desk returns what it returned, and no tool lacks a recording, whether the desk minds or not.
 */
export const vitestEvals: Peer = {
  name: 'vitest_evals',
  async record(scene, original, folder) {
    const { executeWithReplay }: Replay = await import(`${PEER_PACKAGES.vitestEvals}/replay`)
    const withReplay = (context: DeskContext, mode: 'record' | 'strict', missed: () => void): DeskContext => {
      const through = async (toolName: string, args: unknown, execute: () => Promise<string>): Promise<string> => {
        process.env['VITEST_EVALS_REPLAY_DIR'] = folder
        process.env['VITEST_EVALS_REPLAY_MODE'] = mode
        try {
          return (await executeWithReplay({ toolName, args, context: undefined, execute, replay: { key: toKey } })).result
        } catch (error) {
          if (String(error).includes('Missing replay recording')) missed()
          throw error
        }
      }
      return {
        ...context,
        callTool: (name, args) => through(name, args, () => context.callTool(name, args)),
        lookUp: (name, args) => through(name, args, () => context.lookUp(name, args)),
      }
    }
    const nobody = (): void => undefined
    const recorded = await original(scene.input, withReplay(scene.openWorld().context, 'record', nobody))
    return {
      async isRed(desk) {
        let misses = 0
        const context = withReplay(scene.openWorld().context, 'strict', () => {
          misses += 1
        })
        try {
          const output = await desk(scene.input, context)
          return misses > 0 || stringify(output) !== stringify(recorded)
        } catch {
          return true
        }
      },
      close: () => Promise.resolve(),
    }
  },
}
