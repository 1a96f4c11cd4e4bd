import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkpoint } from '../../../../src/run/checkpoint.ts'
import { external } from '../../../../src/run/external.ts'
import { tool } from '../../../../src/run/tool.ts'

/** The shop is overloaded. */
export class OverloadedError extends Error {
  override readonly name = 'OverloadedError'
  readonly code = 'EOVERLOADED'
}

let failures = 0

const book = tool('book', { effect: 'write', errors: [OverloadedError] }, async (order: string) => {
  await sleep(2)
  failures += 1
  if (failures % 3 !== 0) throw new OverloadedError(`The shop is overloaded: ${order}`)
  return { order, booked: true }
})
const price = external('price', async (order: string) => {
  await sleep(order.length)
  return order.length * 100
})

async function withRetries<Result>(call: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof OverloadedError) || attempt === 5) throw error
      // All backoffs of all calls share this one line.
      await new Promise((resolve) => setTimeout(resolve, 2 ** attempt + Math.floor(Math.random() * 3)))
    }
  }
}

/** Books orders with retries, asks prices side by side, and races a timeout; what it returns depends on every wait, draw and reading. */
export async function waitingAgent({ orders }: { readonly orders: readonly string[] }): Promise<unknown> {
  const settled: string[] = []
  const log: unknown[] = [Date.now(), randomUUID()]
  const ticks = setInterval(() => log.push(`tick ${settled.length}`), 4)
  const asked = orders.map(async (order) => {
    const value = await Promise.race([price(order), sleep(10, 'too late')])
    settled.push(`${order} ${value}`)
  })
  for (const order of orders) log.push(await withRetries(() => book(order)))
  await Promise.all(asked)
  clearInterval(ticks)
  checkpoint('settled', { settled })
  return { log, settled, took: performance.now() > 0, at: Date.now() }
}
