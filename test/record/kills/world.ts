import { listen } from '../../../examples/world/listen.ts'
import { readBody } from '../../../examples/world/read-body.ts'

/** A step that changed something, as the world knows it. */
export interface Write {
  readonly run: string
  readonly step: number
  /** Its answer was handed to the operating system as a whole; else it was under way. */
  isSettled: boolean
}

/** What changes when it is asked to, and knows what it was asked. */
export interface World extends AsyncDisposable {
  readonly url: string
  readonly writes: readonly Write[]
  /** Whoever asks is killed now: what has not settled was under way. */
  freeze(): void
}

/** How long it takes over every other answer, in milliseconds: longer than a turn, so that a kill finds some under way. */
const LONG = 20

/** Starts a world that answers in pieces, in turns of its event loop. */
export async function startWorld(): Promise<World> {
  const writes: Write[] = []
  let isFrozen = false
  const server = await listen(async (request, response) => {
    const { run, step } = JSON.parse((await readBody(request)).toString()) as { run: string; step: number }
    const write: Write = { run, step, isSettled: false }
    writes.push(write)
    response.on('finish', () => (write.isSettled ||= !isFrozen))
    if (writes.length % 2 === 0) await new Promise((resolve) => setTimeout(resolve, LONG))
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (let piece = 0; piece < 5; piece += 1) {
      response.write(`data: {"piece":${piece},"text":"${'words of it '.repeat(piece)}"}\n\n`)
      await new Promise((resolve) => setImmediate(resolve))
    }
    response.end()
  })
  return { url: server.url, writes, freeze: () => (isFrozen = true), [Symbol.asyncDispose]: () => server.close() }
}
