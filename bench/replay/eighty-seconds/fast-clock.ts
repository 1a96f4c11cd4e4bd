// To be preloaded (`node --import …/fast-clock.ts?times=20`): speeds up time in this process by that factor, for `Date`,
// `performance.now` and the global timers alike. Code that is loaded later knows no other clock, so a program that waits for eighty seconds ends
// in four, and reports eighty. Node's internal waits (a socket's timeout) use the true clock.
const times = Number(new URL(import.meta.url).searchParams.get('times'))
if (!(times > 0)) throw new Error('fast-clock.ts needs the speed of its clock in its URL: ?times=20.')

const TrueDate = globalThis.Date
const { setTimeout: trueSetTimeout, setInterval: trueSetInterval } = globalThis
const truePerformanceNow = performance.now.bind(performance)
const startedAt = TrueDate.now()
const now = (): number => Math.round(startedAt + performance.now())

performance.now = () => truePerformanceNow() * times
globalThis.Date = new Proxy(TrueDate, {
  construct: (target, values: [], newTarget) => Reflect.construct(target, values.length === 0 ? [now()] : values, newTarget) as Date,
  get: (target, key, receiver) => (key === 'now' ? now : Reflect.get(target, key, receiver)),
})
globalThis.setTimeout = hasten(trueSetTimeout)
globalThis.setInterval = hasten(trueSetInterval)

function hasten<Timer extends typeof setTimeout | typeof setInterval>(setTimer: Timer): Timer {
  return new Proxy(setTimer, {
    apply: (target, receiver, [callback, delay = 0, ...values]: [() => void, number?, ...unknown[]]) =>
      Reflect.apply(target, receiver, [callback, delay / times, ...values]) as unknown,
  })
}
