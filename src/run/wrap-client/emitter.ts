const METHODS: ReadonlySet<PropertyKey> = new Set([
  'on',
  'once',
  'off',
  'emit',
  'addListener',
  'prependListener',
  'prependOnceListener',
  'removeListener',
  'removeAllListeners',
  'listeners',
  'rawListeners',
  'listenerCount',
  'eventNames',
  'getMaxListeners',
  'setMaxListeners',
])

/** Whether a method adds or removes listeners of an event emitter, which is not a call to the outside world. */
export function isOfEmitters(owner: object, method: PropertyKey): boolean {
  return METHODS.has(method) && isEmitter(owner)
}

function isEmitter(value: object): boolean {
  return typeof Reflect.get(value, 'on') === 'function' && typeof Reflect.get(value, 'emit') === 'function'
}
