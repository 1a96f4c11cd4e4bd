/** Preloaded, it lets time pass a hundred times as fast: waits are a hundredth of what they are told to be, and clocks say what they would have said. */
const speed = 100
const { setTimeout: realSetTimeout, setInterval: realSetInterval } = globalThis
const { now: realNow } = Date
const started = realNow()
const startedMonotonic = performance.now()
const monotonicNow = Performance.prototype.now

globalThis.setTimeout = (callback, delay, ...args) => realSetTimeout(callback, delay / speed, ...args)
globalThis.setInterval = (callback, delay, ...args) => realSetInterval(callback, delay / speed, ...args)
Date.now = () => started + (realNow() - started) * speed
Performance.prototype.now = function now() {
  return startedMonotonic + (monotonicNow.call(this) - startedMonotonic) * speed
}
