import { AsyncLocalStorage } from 'node:async_hooks'
import { scheduler, setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { listen } from '../../../examples/world/listen.ts'
import { digest } from '../../../src/replay/traces/digest.ts'
import { tool } from '../../../src/run/tool.ts'
import { assembleTrace } from '../../../src/trace/assemble.ts'
import { toGoldenRows } from '../../../src/trace/compact.ts'
import { recordRun } from '../../support/record-run.ts'
import { expectClean } from '../../support/replay-clean.ts'

const wait = (delay: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, delay))
const look = tool('look', {}, async (delay: number) => wait(delay).then(() => 'seen'))

/** A machine that is busy while the run is recorded, and idle when it is replayed. */
class Machine {
  #isBusy = true

  /** Holds up the event loop for so many milliseconds, without a read of the clock. */
  readonly stall = (milliseconds: number): void => {
    if (this.#isBusy) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
  }

  readonly calmDown = (): void => void (this.#isBusy = false)
}

/** Records an agent on a busy machine, replays it on an idle one, and returns what it returned, which has to be the same. */
async function onBusyMachine<Output>(agent: (stall: Machine['stall']) => Promise<Output>): Promise<Awaited<Output>> {
  const machine = new Machine()
  const { trace, output } = await recordRun(() => agent(machine.stall))
  machine.calmDown()
  await expectClean(trace, () => agent(machine.stall))
  return output
}

it('lets a timer fire before an immediate that was set earlier, as it did on a busy machine', async () => {
  const order = await onBusyMachine(async (stall) => {
    const seen: string[] = []
    setTimeout(() => seen.push('timer'), 5)
    setImmediate(() => {
      seen.push('immediate')
      stall(25)
      setImmediate(() => seen.push('the next one'))
    })
    await wait(60)
    return seen
  })
  expect(order).toEqual(['immediate', 'timer', 'the next one'])
})

it('lets an answer come before an immediate, and all that the agent does with it', async () => {
  const order = await onBusyMachine(async (stall) => {
    const seen: string[] = []
    setImmediate(() => {
      stall(25)
      setImmediate(() => seen.push('first'))
      setImmediate(() => seen.push('second'))
    })
    const text = await look(3)
    for (let hop = 0; hop < 20; hop += 1) await Promise.resolve()
    seen.push(text)
    await wait(60)
    return seen
  })
  expect(order).toEqual(['seen', 'first', 'second'])
})

it('forgets an immediate that was cleared by what came before it', async () => {
  const order = await onBusyMachine(async (stall) => {
    const seen: string[] = []
    const { promise, resolve } = Promise.withResolvers<void>()
    setImmediate(() => {
      stall(25)
      const cleared = setImmediate(() => seen.push('cleared'))
      setTimeout(() => seen.push('later'), 5)
      void look(1).then(() => clearImmediate(cleared))
      setImmediate(() => void wait(40).then(resolve))
      stall(25)
    })
    await promise
    return seen
  })
  expect(order).toContain('later')
})

it('runs a chain of immediates to its end before what came after it', async () => {
  const order = await onBusyMachine(async () => {
    const seen: (string | number)[] = []
    const chain = async (): Promise<void> => {
      for (let index = 0; index < 40; index += 1) await turn()
      seen.push('chain')
    }
    await Promise.all([chain(), look(80).then((text) => seen.push(text))])
    return seen
  })
  expect(order).toEqual(['chain', 'seen'])
})

it('lets an agent look as often for an answer as it did', async () => {
  const looked = await onBusyMachine(async () => {
    const seen: string[] = []
    let count = 0
    void look(4).then((text) => seen.push(text))
    for (; seen.length === 0; count += 1) await scheduler.yield()
    return count
  })
  expect(looked).toBeGreaterThan(1)
})

it('lets an agent look as often for each part of an answer as it did, from the recording and from its golden', async () => {
  const server = await listen(async (_request, response) => {
    for (const part of ['one', 'two', 'three']) {
      response.write(part)
      await wait(4)
    }
    response.end()
  })
  const agent = async (): Promise<unknown[]> => {
    const seen: unknown[] = []
    const read = async (): Promise<void> => {
      const response = await fetch(server.url)
      seen.push(response.status)
      for await (const part of response.body ?? []) seen.push(Buffer.from(part).toString())
      seen.push('end')
    }
    const reading = read()
    for (let count = 0; !seen.includes('end'); count += 1) {
      const length = seen.length
      await turn()
      if (seen.length > length) seen.push(count)
    }
    await reading
    return seen
  }
  const { trace } = await recordRun(agent)
  await server.close()
  await expectClean(trace, agent)
  await expectClean(assembleTrace([trace.header, ...toGoldenRows(trace.rows.slice(1))], digest), agent)
})

it('does not count the immediates of a tool, whose function does not run', async () => {
  const chatty = tool('chatty', {}, async () => {
    for (let index = 0; index < 200; index += 1) await turn()
    return 'said'
  })
  const order = await onBusyMachine(async () => {
    const seen: string[] = []
    const chain = async (): Promise<void> => {
      for (let index = 0; index < 400; index += 1) await turn()
      seen.push('chain')
    }
    await Promise.all([chain(), chatty().then((text) => seen.push(text))])
    return seen
  })
  expect(order).toEqual(['said', 'chain'])
})

it('keeps the context of each immediate, and the order of all, while one waits', async () => {
  const storage = new AsyncLocalStorage<string>()
  const order = await onBusyMachine(async (stall) => {
    const seen: unknown[] = []
    setImmediate(() => {
      stall(25)
      for (const name of ['first', 'second', 'third']) storage.run(name, () => setImmediate(() => seen.push(storage.getStore())))
    })
    storage.run('timer', () => setTimeout(() => seen.push(storage.getStore()), 5))
    await look(3)
    // What a stream has to tell passes through the queue of ticks a few times.
    await new Promise((resolve) => process.nextTick(() => process.nextTick(() => queueMicrotask(() => process.nextTick(resolve)))))
    seen.push('seen')
    await wait(60)
    return seen
  })
  expect(new Set(order)).toEqual(new Set(['first', 'second', 'seen', 'third', 'timer']))
  expect(order.slice(-3)).toEqual(['first', 'second', 'third'])
})
