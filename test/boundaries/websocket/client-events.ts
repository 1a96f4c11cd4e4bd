/** The interface of browsers, as far as all clients have it. */
export interface Client {
  binaryType: string
  readonly readyState: number
  readonly protocol: string
  send(data: string | Uint8Array): void
  close(code?: number, reason?: string): void
  addEventListener(type: string, listener: (event: never) => void): void
}

/** A client with what has happened to it. */
export interface Watched {
  readonly client: Client
  readonly events: unknown[]
  /** Resolves with the next event of this type. */
  next(type: string): Promise<void>
}

/** Watches a client: what happens is told as data. */
export function watch(client: Client): Watched {
  client.binaryType = 'arraybuffer'
  const events: unknown[] = []
  const waiting = new Map<string, (() => void)[]>()
  const tell = (type: string, event: unknown): void => {
    events.push(event)
    for (const resolve of waiting.get(type)?.splice(0) ?? []) resolve()
  }
  client.addEventListener('open', () => tell('open', ['open', client.protocol]))
  client.addEventListener('message', ({ data }: { data: unknown }) =>
    tell('message', typeof data === 'string' ? data : [...new Uint8Array(data as ArrayBuffer)]),
  )
  client.addEventListener('error', () => tell('error', 'error'))
  client.addEventListener('close', ({ code, reason, wasClean }: { code: number; reason: string; wasClean: boolean }) =>
    tell('close', ['close', code, reason, wasClean]),
  )
  return {
    client,
    events,
    next: (type) =>
      new Promise((resolve) => {
        waiting.set(type, [...(waiting.get(type) ?? []), resolve])
      }),
  }
}
