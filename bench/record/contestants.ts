import { AsyncLocalStorage } from 'node:async_hooks'
import { createRecorder } from 'goldenrun'
import { makeStore } from './stores.ts'
import { askWithAiSdk, createTelemetry } from './telemetry.ts'
import type { Ask, Surround } from './workload.ts'

/** One way to observe model calls, set up for a round. */
export interface Contestant {
  readonly surround: Surround
  /** Default: OpenAI's own SDK. */
  readonly ask?: Ask
  /** Resolves when everything that it writes besides the calls is written. */
  settle?(): Promise<void>
  close(): Promise<void>
}

/** The contestants. */
export type Name = 'none' | 'goldenrun' | 'hook' | 'scope' | 'tee' | 'interceptors' | 'aiSdk' | 'otel'

/** The contestants, by the name that their metrics begin with. */
export const contestants: Readonly<Record<Name, () => Promise<Contestant>>> = {
  none: async () => ({ surround: (agent) => agent(), close: async () => undefined }),
  aiSdk: async () => ({ surround: (agent) => agent(), ask: askWithAiSdk(), close: async () => undefined }),
  async otel() {
    const telemetry = await createTelemetry()
    return { surround: (agent) => agent(), ask: askWithAiSdk(telemetry), close: () => telemetry.close() }
  },
  async interceptors() {
    const { FetchInterceptor } = (await import(INTERCEPTORS)) as { FetchInterceptor: new () => Interceptor }
    const interceptor = new FetchInterceptor()
    interceptor.apply()
    // Reads the request, as a program does that writes it down.
    interceptor.on('request', ({ request }) => void request.clone().arrayBuffer())
    interceptor.on('response', ({ response }) => void response.clone().arrayBuffer())
    return {
      surround: (agent) => agent(),
      async close() {
        interceptor.dispose()
      },
    }
  },
  async goldenrun() {
    // A busy machine is slow, and everything has to be written.
    const recorder = createRecorder({ store: await makeStore(), limits: { closeMilliseconds: 600_000 } })
    await recorder.start()
    return {
      surround: (agent) => recorder.run({ agent: 'bench', input: 0 }, agent),
      settle: () => recorder.flush(),
      async close() {
        await recorder.close()
        const { recorded, failed, cut } = recorder.stats()
        if (recorded === 0 || failed > 0 || cut > 0) throw new Error(`The bench lost recordings: ${JSON.stringify(recorder.stats())}.`)
      },
    }
  },
  async hook() {
    await (await fetch('data:,')).text()
    const holder = globalThis as unknown as Record<symbol, Dispatcher>
    const inner = holder[dispatcherKey]
    if (inner === undefined) throw new Error('Node has no global dispatcher where it used to have one.')
    holder[dispatcherKey] = Object.assign(Object.create(inner) as Dispatcher, {
      dispatch: (options: object, handler: object) => inner.dispatch(options, new Proxy(handler, passOn)),
    })
    return {
      surround: (agent) => agent(),
      async close() {
        holder[dispatcherKey] = inner
      },
    }
  },
  /** The cost of knowing which run a call belongs to: on Node 22 that slows down every promise of the process. */
  async scope() {
    const scope = new AsyncLocalStorage<object>()
    return { surround: (agent) => scope.run({}, agent), close: async () => undefined }
  },
  async tee() {
    const { fetch: real } = globalThis
    globalThis.fetch = async (...args) => {
      const answer = await real(...args)
      if (answer.body === null) return answer
      const [one, other] = answer.body.tee()
      void new Response(other).arrayBuffer()
      return new Response(one, answer)
    }
    return {
      surround: (agent) => agent(),
      async close() {
        globalThis.fetch = real
      },
    }
  },
}

/** In a variable, so that its types are not needed where it is not installed. */
const INTERCEPTORS: string = '@mswjs/interceptors/fetch'

interface Interceptor {
  apply(): void
  dispose(): void
  on(event: 'request' | 'response', listener: (happened: { readonly request: Request; readonly response: Response }) => void): void
}

interface Dispatcher {
  dispatch(options: object, handler: object): boolean
}

const dispatcherKey = Symbol.for('undici.globalDispatcher.1')

/** Sees every event and keeps none. */
const passOn: ProxyHandler<object> = {
  get(handler, key) {
    const value: unknown = Reflect.get(handler, key, handler)
    return typeof value === 'function' ? (...args: unknown[]): unknown => Reflect.apply(value, handler, args) : value
  },
}
