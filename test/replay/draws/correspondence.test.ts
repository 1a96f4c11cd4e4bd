import { expect, it } from 'vitest'
import { Correspondence, type DrawPair, type MadeDraw, type Place } from '../../../src/replay/judge/draws/correspondence.ts'
import { createRandom } from '../../support/random.ts'

it('explains every place by draws of the same order, however many were added or left out', () => {
  const recorded = draws([0, 0, 3])
  const replayed = draws([0, 0, 0, 3])
  expect(explains([pair(recorded, 0, replayed, 1), pair(recorded, 1, replayed, 2), pair(recorded, 2, replayed, 3)])).toBe(true)
  expect(explains([pair(recorded, 0, replayed, 0), pair(recorded, 2, replayed, 3)])).toBe(true)
})

it('has one draw for each recorded one', () => {
  const recorded = draws([0, 0])
  const replayed = draws([0, 0])
  expect(explains([pair(recorded, 0, replayed, 0), pair(recorded, 0, replayed, 1)])).toBe(false)
})

it('has one recorded draw for each draw', () => {
  const recorded = draws([0, 0])
  const replayed = draws([0, 0])
  expect(explains([pair(recorded, 0, replayed, 0), pair(recorded, 1, replayed, 0)])).toBe(false)
})

it('keeps the order of one synchronous stretch', () => {
  const recorded = draws([0, 0])
  const replayed = draws([0, 0])
  expect(explains([pair(recorded, 0, replayed, 1), pair(recorded, 1, replayed, 0)])).toBe(false)
})

it('keeps the order of draws that a settled step separates', () => {
  const recorded = draws([0, 2])
  const replayed = draws([0, 2])
  expect(explains([pair(recorded, 0, replayed, 1), pair(recorded, 1, replayed, 0)])).toBe(false)
})

it('lets parallel branches swap their draws: a call that nobody waited for stands between them', () => {
  const recorded = [draw(0, { calls: 0 }), draw(1, { calls: 1 })]
  const replayed = [draw(0, { calls: 0 }), draw(1, { calls: 1 })]
  expect(explains([pair(recorded, 0, replayed, 1), pair(recorded, 1, replayed, 0)])).toBe(true)
})

it('lets one read be made earlier than others that stay', () => {
  const recorded = draws([0, 2, 5])
  const replayed = draws([0, 0, 2])
  expect(explains([pair(recorded, 0, replayed, 0), pair(recorded, 2, replayed, 1), pair(recorded, 1, replayed, 2)])).toBe(true)
})

it('asks for no order between the bodies of two tools', () => {
  const recorded = [draw(0, { owner: 1 }), draw(1, { owner: 2 })]
  const replayed = [draw(0, { owner: 2 }), draw(1, { owner: 1 })]
  expect(explains([pair(recorded, 0, replayed, 1), pair(recorded, 1, replayed, 0)])).toBe(true)
})

it('asks for no order between the bodies of two tools that came later, either', () => {
  const recorded = [draw(0, { owner: 1, tick: 1 }), draw(1, { owner: 2, tick: 1 })]
  const replayed = [draw(0, { owner: 2, tick: 2 }), draw(1, { owner: 1, tick: 2 })]
  expect(explains([pair(recorded, 0, replayed, 1), pair(recorded, 1, replayed, 0)])).toBe(true)
})

it('keeps two different times different', () => {
  const recorded = [clock(0, 100, 0), clock(1, 250, 2)]
  expect(explains([pair(recorded, 0, [clock(0, 100, 0)], 0), pair(recorded, 1, [clock(1, 100, 2)], 0)])).toBe(false)
  expect(explains([pair(recorded, 0, [clock(0, 100, 0)], 0), pair(recorded, 1, [clock(1, 101, 2)], 0)])).toBe(true)
})

it('lets two reads between which no step settled fall in one millisecond or in two', () => {
  const [early, late] = [clock(0, 100, 0), clock(1, 101, 0)]
  const [one, other, later] = [clock(0, 101, 0), clock(1, 101, 0), clock(1, 101, 1)]
  expect(explains([[{ recorded: early, replayed: one }], [{ recorded: late, replayed: other }]])).toBe(true)
  expect(explains([[{ recorded: early, replayed: one }], [{ recorded: late, replayed: later }]])).toBe(false)
})

it('takes draws of one millisecond for two', () => {
  const [one, other] = [clock(0, 100, 0), clock(1, 100, 0)]
  const [first, second] = [clock(0, 100, 0), clock(1, 101, 0)]
  const either = (replayed: MadeDraw): Place => [one, other].map((recorded) => ({ recorded, replayed }))
  expect(explains([either(first), either(second)])).toBe(true)
  expect(explains([either(first), either(second), either(clock(2, 102, 0))])).toBe(false)
})

it('chooses anew where a later place asks for that', () => {
  const recorded = [clock(0, 100, 0), clock(1, 100, 0)]
  const replayed = [clock(0, 100, 0), clock(1, 100, 0)]
  const any = recorded.flatMap((one) => replayed.map((other): DrawPair => ({ recorded: one, replayed: other })))
  const correspondence = new Correspondence()
  expect(correspondence.add([any])).toBe(true)
  const [chosen] = correspondence.pairs
  const others = any.filter(({ recorded: one, replayed: other }) => one !== chosen?.recorded && other === chosen?.replayed)
  expect(correspondence.explains([others])).toBe(true)
  expect(correspondence.add([others])).toBe(true)
  expect(correspondence.pairs).toContainEqual(others[0])
})

it('changes nothing by places that it cannot explain', () => {
  const recorded = draws([0, 0])
  const replayed = draws([0, 0])
  const correspondence = new Correspondence()
  expect(correspondence.add([pair(recorded, 0, replayed, 0)])).toBe(true)
  expect(correspondence.add([pair(recorded, 1, replayed, 0)])).toBe(false)
  expect(correspondence.pairs).toEqual([pair(recorded, 0, replayed, 0)[0]])
  expect(correspondence.add([pair(recorded, 1, replayed, 1)])).toBe(true)
})

it('gives up rather than search without end', () => {
  const recorded = Array.from({ length: 12 }, (_, index) => clock(index, 100, 0))
  const replayed = Array.from({ length: 11 }, (_, index) => clock(index, 100, 0))
  // One draw short: only a search of all choices would show that nothing fits.
  const place = recorded.flatMap((one) => replayed.map((other): DrawPair => ({ recorded: one, replayed: other })))
  const places = recorded.map((one) => place.filter((each) => each.recorded === one))
  expect(new Correspondence(1000).explains(places)).toBe(false)
})

it('finds what was added and left out, and no permutation of what is used', () => {
  const seed = Math.floor(Math.random() * 2 ** 31)
  const random = createRandom(seed)
  for (let round = 0; round < 200; round += 1) {
    const about = `seed ${seed}, round ${round}`
    const ticks = Array.from({ length: random.whole(2, 12) }, () => random.whole(0, 4)).toSorted((a, b) => a - b)
    const recorded = draws(ticks)
    const replayed = draws(ticks.flatMap((tick) => (random.whole(0, 2) === 0 ? [tick, tick] : [tick])))
    // Of a doubled draw, the later one is used.
    const used = ticks.map((tick, index) =>
      replayed.filter((made) => made.tick === tick).at(-1 - ticks.slice(index + 1).filter((other) => other === tick).length),
    )
    const places = (order: readonly number[]): Place[] =>
      order.map((from, index): Place => [{ recorded: recorded[index] ?? missing(), replayed: used[from] ?? missing() }])
    const straight = ticks.map((_, index) => index)
    expect(explains(random.shuffle(places(straight))), about).toBe(true)
    const turned = random.shuffle(straight)
    const isTurned = turned.some((from, index) => from !== index)
    expect(explains(random.shuffle(places(turned))), `${about}: ${turned.join(' ')} of ${ticks.join(' ')}`).toBe(!isTurned)
  }
})

function explains(places: readonly Place[]): boolean {
  const all = new Correspondence().explains(places)
  const step = new Correspondence()
  // Place by place comes to the same.
  expect(places.every((place) => step.add([place]))).toBe(all)
  return all
}

function draws(ticks: readonly number[]): MadeDraw[] {
  return ticks.map((tick, order) => draw(order, { tick }))
}

function draw(order: number, { tick = 0, calls = 0, owner = 0 }: { tick?: number; calls?: number; owner?: number }): MadeDraw {
  return { kind: 'uuid', order, owner, tick, calls, value: `id ${order}` }
}

function clock(order: number, value: number, tick: number): MadeDraw {
  return { kind: 'clock', order, owner: 0, tick, calls: 0, value }
}

function pair(recorded: readonly MadeDraw[], one: number, replayed: readonly MadeDraw[], other: number): Place {
  return [{ recorded: recorded[one] ?? missing(), replayed: replayed[other] ?? missing() }]
}

function missing(): never {
  throw new RangeError('no such draw')
}
