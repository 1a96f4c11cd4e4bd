import { requiredModulesIn } from '../../node/required-modules.ts'
import { acquiring } from '../drivers/acquiring.ts'
import type { DriverClass } from '../drivers/driver.ts'
import { methodOf } from '../emitter-door.ts'
import { combine, type Restore } from '../patches.ts'
import { isCall, openCall } from './call-door.ts'

/** The package @grpc/grpc-js. Its calls are intercepted where they are made; connections, names, retries and deadlines are its own work. */
export const grpcDriver: readonly DriverClass[] = [
  { own: ['getConfig', 'sendMessageOnChild', 'outputStatus', 'sendMessageWithContext'], open: openCall },
  { own: ['waitForReady', 'makeUnaryRequest', 'makeBidiStreamRequest'], open: openClient },
  // The object that the agent gets for a call.
  { own: ['cancel', 'getPeer'], open: openGiven },
]

function openClient(prototype: object): Restore {
  const grant = (args: readonly unknown[]): void => {
    const callback = args.at(-1)
    if (typeof callback === 'function') callback()
  }
  return acquiring(prototype, ['waitForReady'], 'grpc connect', grant)
}

/**
 * Opens doors for the class of calls, which is not exported, before the first call is made. In a bundle, the class is found with the first
 * call, when the agent's object gets it as its `call`. Source: @grpc/grpc-js, src/client.ts.
 */
function openGiven(prototype: object): Restore {
  const restores = [...loadedCalls()].map(openCall)
  const forget = (): void => void Reflect.deleteProperty(prototype, 'call')
  Reflect.defineProperty(prototype, 'call', {
    configurable: true,
    get: () => undefined,
    set(this: object, value: unknown) {
      Reflect.defineProperty(this, 'call', { value, configurable: true, enumerable: true, writable: true })
      const call = callIn(value)
      if (call === undefined) return
      forget()
      restores.push(openCall(Object.getPrototypeOf(call) as object))
    },
  })
  return () => {
    forget()
    combine(...restores)()
  }
}

const fileOfCalls = /[\\/]grpc-js[\\/]build[\\/]src[\\/]resolving-call\.js$/

/** Yields the class of calls of each copy of the package. */
function* loadedCalls(): Generator<object> {
  for (const [, module] of requiredModulesIn(fileOfCalls)) {
    const { ResolvingCall } = (module?.exports ?? {}) as { readonly ResolvingCall?: { readonly prototype: object } }
    if (ResolvingCall !== undefined) yield ResolvingCall.prototype
  }
}

/** Returns the call below its interceptors. */
function callIn(value: unknown): object | undefined {
  let call = value
  for (let depth = 0; depth < 100 && typeof call === 'object' && call !== null; depth += 1) {
    if (isCall(call) && typeof methodOf(call, 'getConfig') === 'function') return call
    call = Reflect.get(call, 'nextCall') ?? Reflect.get(call, 'call')
  }
  return undefined
}
