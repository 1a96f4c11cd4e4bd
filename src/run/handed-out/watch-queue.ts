/**
 * Notifies of each piece in the queue of a stream: those that are in it now, and those that its source puts there later, however slowly it is read.
 * Pieces that Node itself puts there (the readable side of a `TransformStream`) are not seen.
 *
 * @note A stream's controller is known only to its source and to Node. Source: Node, lib/internal/webstreams/readablestream.js, `kState`.
 */
export function watchQueue(stream: ReadableStream<unknown>, onPiece: () => void): void {
  const controller = stateOf(stream)?.['controller']
  if (typeof controller !== 'object' || controller === null || !('enqueue' in controller)) return
  const { enqueue } = controller
  const waiting = lengthOf(stateOf(controller)?.['queue'])
  if (typeof enqueue !== 'function' || waiting === undefined) return
  for (let count = 0; count < waiting; count += 1) onPiece()
  Object.defineProperty(controller, 'enqueue', {
    configurable: true,
    writable: true,
    value: (piece: unknown): void => {
      Reflect.apply(enqueue, controller, [piece])
      onPiece()
    },
  })
}

function stateOf(object: object): Readonly<Record<string, unknown>> | undefined {
  const key = Object.getOwnPropertySymbols(object).find(({ description }) => description === 'kState')
  const state: unknown = key === undefined ? undefined : Reflect.get(object, key)
  return typeof state === 'object' && state !== null ? (state as Readonly<Record<string, unknown>>) : undefined
}

function lengthOf(queue: unknown): number | undefined {
  const isQueue = typeof queue === 'object' && queue !== null && 'length' in queue && typeof queue.length === 'number'
  return isQueue ? (queue.length as number) : undefined
}
