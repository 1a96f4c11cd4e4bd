import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../agents/context.ts'
import { accountAnswer } from './account-service.ts'
import type { Reply, Script } from './script.ts'
import { untilQuiet } from './quiet.ts'
import { WorldLog } from './world-log.ts'

/** The world around one run of an agent: it answers by a script and logs what it sees. */
export class World {
  readonly id: string
  readonly log: WorldLog = new WorldLog()
  readonly context: Context
  readonly #script: Script
  readonly #counts = new Map<string, number>()

  /** @param id Its id in addresses: its path is `/w<id>`. */
  constructor(id: string, origin: string, script: Script) {
    this.id = id
    this.#script = script
    this.context = {
      url: `${origin}/w${id}`,
      services: `${origin}/w${id}`,
      call: (name, ...args) => this.#call(name, toInput(args)),
      reached: (name, state) => this.log.reach(name, state),
    }
  }

  /** Returns the script's reply to the next call with that name. */
  say(name: string, input: unknown): Reply {
    const count = (this.#counts.get(name) ?? 0) + 1
    this.#counts.set(name, count)
    return accountAnswer(name) ?? this.#script({ name, input, count })
  }

  /** Runs an agent, logs how it ended, and waits until nothing more happens. */
  async watch(run: () => Promise<unknown>, watchMs?: number): Promise<WorldLog> {
    try {
      const output = await run()
      this.log.finish({ output })
    } catch (error) {
      this.log.finish({ error: String(error) })
    }
    await untilQuiet(this.log, watchMs)
    return this.log
  }

  async #call(name: string, input: unknown): Promise<unknown> {
    const index = this.log.open(name, input)
    try {
      const { value, fails, ms = 8 } = this.say(name, input)
      await sleep(ms)
      if (fails !== undefined) throw new Error(fails)
      return value
    } finally {
      this.log.settle(index)
    }
  }
}

/** Drops trailing undefined arguments: no function depends on them. */
function toInput(args: readonly unknown[]): unknown {
  const given = args.slice(0, args.findLastIndex((arg) => arg !== undefined) + 1)
  return given.length > 1 ? given : given[0]
}
