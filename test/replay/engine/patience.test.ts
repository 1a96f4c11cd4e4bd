import { expect, it } from 'vitest'
import { Patience } from '../../../src/replay/engine/patience.ts'

/** Holds this thread up, as a busy machine does. */
function holdUp(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

it('does not take a run for stuck because the process was held up between two looks at it', () => {
  const patience = new Patience(1)
  expect(patience.mayStillMove()).toBe(true)
  holdUp(500)
  expect(patience.mayStillMove()).toBe(true)
})

it('takes a run for stuck that has done nothing while it was looked at for 300 ms', () => {
  const patience = new Patience(1)
  let looks = 0
  while (patience.mayStillMove() && looks < 1000) {
    looks += 1
    holdUp(5)
  }
  // More than 5 ms may pass between two looks, up to 10 of which count.
  expect(looks).toBeGreaterThanOrEqual(30)
  expect(looks).toBeLessThanOrEqual(60)
})

it('starts anew when something happens', () => {
  const patience = new Patience(1)
  for (let look = 0; look < 20; look += 1) {
    expect(patience.mayStillMove()).toBe(true)
    holdUp(10)
  }
  patience.stir()
  for (let look = 0; look < 20; look += 1) {
    expect(patience.mayStillMove()).toBe(true)
    holdUp(10)
  }
})
