import stringify from 'fast-json-stable-stringify'
import type { Context } from '../agents/context.ts'
import { PEER_PACKAGES } from '../../replay/peers/install.ts'
import type { Peer } from './peer-test.ts'

/** The part of `vitest-evals` that is used here. */
interface Replay {
  executeWithReplay(call: {
    toolName: string
    args: unknown
    context: undefined
    execute(args: unknown): Promise<string>
    replay: { key(args: unknown): unknown }
  }): Promise<{ result: string }>
}

/** Returns a key without the ids that are drawn anew each time, as its option requires. */
const toKey = (args: unknown): unknown => JSON.parse(JSON.stringify(args ?? null).replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4,12}){4}/g, 'id'))

/**
 * vitest-evals with strict replay of tools: the model stays live, which here means the world's model, and so does the customer. The test is one that a
 * team would write: the agent returns the same as before, and every tool call has a recording, whether or not the agent handles the failure.
 */
export const vitestEvals: Peer = {
  name: 'vitest_evals',
  async record(server, scene, original, folder) {
    const { executeWithReplay }: Replay = await import(`${PEER_PACKAGES.vitestEvals}/replay`)
    const withReplay = (context: Context, mode: 'record' | 'strict', missed: () => void): Context => {
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
        call: (name, args) => (name === 'customer' ? context.call(name, args) : through(name, args, () => context.call(name, args))),
      }
    }
    const nobody = (): void => undefined
    const recorded = await original(scene.input, withReplay(server.open(scene.createScript()).context, 'record', nobody))
    return {
      async isRed(agent) {
        let misses = 0
        const world = server.open(scene.createScript())
        const context = withReplay(world.context, 'strict', () => {
          misses += 1
        })
        try {
          const output = await agent(scene.input, context)
          return misses > 0 || stringify(output) !== stringify(recorded)
        } catch {
          return true
        } finally {
          server.close(world)
        }
      },
      close: () => Promise.resolve(),
    }
  },
}
