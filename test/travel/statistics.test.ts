import { expect, it } from 'vitest'
import { passPower, SequentialTest } from '../../src/travel/statistics.ts'
import { differenceInterval, wilsonInterval } from '../support/confidence.ts'

/*
 * statsmodels 0.15.0, scipy 1.17.1: proportion_confint(passed, total, 1 - confidence, 'wilson') from statsmodels.stats.proportion.
 */
it.each([
  [0, 1, 0.95, 0, 0.7934506856227626],
  [1, 1, 0.95, 0.20654931437723745, 1],
  [0, 20, 0.95, 0, 0.16112515805281938],
  [20, 20, 0.95, 0.8388748419471806, 1],
  [18, 20, 0.95, 0.6989663547715128, 0.9721335187862319],
  [81, 263, 0.95, 0.2552885198782742, 0.36620957698280004],
  [15, 148, 0.95, 0.0623863995307363, 0.16048724172330803],
  [1, 29, 0.95, 0.006113214292762653, 0.17175521879320288],
  [18, 20, 0.9, 0.7383369536731331, 0.9663367764380953],
  [18, 20, 0.99, 0.6205022134712957, 0.9802134656497014],
  [5, 8, 0.5, 0.5057738811941462, 0.7307743197516475],
  [999, 1000, 0.999, 0.9873882793907756, 0.9999215580137806],
  [18, 20, 0.1, 0.8912522331050441, 0.9081166342348816],
  [18, 20, 0.999999999999, 0.22951183403899628, 0.996335962597894],
])('gives the Wilson interval of statsmodels for %d of %d at %d', (passed, total, confidence, low, high) => {
  const interval = wilsonInterval(passed, total, confidence)
  expect(interval.low).toBeCloseTo(low, 13)
  expect(interval.high).toBeCloseTo(high, 13)
})

/* R. G. Newcombe, Statistics in Medicine 17 (1998) 857-872, table I, method 3, at 95 %. */
it.each([
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
])('gives the published score interval for %d of %d', (passed, total, low, high) => {
  expect(wilsonInterval(passed, total)).toEqual({ low: expect.closeTo(low, 4), high: expect.closeTo(high, 4) })
})

/* R. G. Newcombe, Statistics in Medicine 17 (1998) 873-890, table II, method 10, at 95 %. */
it.each([
  [56, 70, 48, 80, 0.0524, 0.3339],
  [9, 10, 3, 10, 0.1705, 0.809],
  [6, 7, 2, 7, 0.0582, 0.8062],
  [5, 56, 0, 29, -0.0381, 0.1926],
  [0, 10, 0, 20, -0.1611, 0.2775],
  [0, 10, 0, 10, -0.2775, 0.2775],
  [10, 10, 0, 20, 0.6791, 1],
  [10, 10, 0, 10, 0.6075, 1],
])('gives the published interval for the difference of %d of %d and %d of %d', (a, ofA, b, ofB, low, high) => {
  const interval = differenceInterval({ passed: a, total: ofA }, { passed: b, total: ofB })
  expect(interval).toEqual({ low: expect.closeTo(low, 4), high: expect.closeTo(high, 4) })
})

/*
 * statsmodels 0.15.0: confint_proportions_2indep(a, ofA, b, ofB, method='newcomb', compare='diff', alpha=1 - confidence, correction=False).
 */
it.each([
  [56, 70, 48, 80, 0.95, 0.05243147240236498, 0.333872654036906],
  [9, 10, 3, 10, 0.95, 0.17052272393450302, 0.8090179735354881],
  [5, 56, 0, 29, 0.95, -0.03813714790353688, 0.19256001385511162],
  [10, 10, 0, 20, 0.95, 0.6790860371419147, 1],
  [20, 20, 11, 20, 0.9, 0.2457609088673713, 0.6277922924470651],
  [3, 20, 11, 20, 0.99, -0.6610346207138036, -0.013067540724287285],
])('gives the difference interval of statsmodels for %d of %d and %d of %d at %d', (a, ofA, b, ofB, confidence, low, high) => {
  const interval = differenceInterval({ passed: a, total: ofA }, { passed: b, total: ofB }, confidence)
  expect(interval.low).toBeCloseTo(low, 13)
  expect(interval.high).toBeCloseTo(high, 13)
})

it('says that anything is possible where there is no sample', () => {
  expect(wilsonInterval(0, 0)).toEqual({ low: 0, high: 1 })
  expect(differenceInterval({ passed: 0, total: 0 }, { passed: 5, total: 5 })).toEqual({ low: -1, high: 1 })
})

/* Python: from math import comb; comb(passed, k) / comb(total, k). */
it.each([
  [18, 20, 1, 0.9],
  [18, 20, 2, 0.8052631578947368],
  [18, 20, 4, 0.631578947368421],
  [18, 20, 8, 0.3473684210526316],
  [18, 20, 18, 0.005263157894736842],
  [18, 20, 19, 0],
  [20, 20, 20, 1],
  [0, 20, 1, 0],
  [0, 20, 0, 1],
  [3, 4, 2, 0.5],
  [900, 1000, 100, 1.4696838026802188e-5],
  [1999, 2000, 1000, 0.5],
])('estimates pass^k for %d of %d with k = %d', (passed, total, k, expected) => {
  expect(passPower(passed, total, k)).toBeCloseTo(expected, 12)
  expect(passPower(passed, total, k)).toBeLessThanOrEqual(1)
})

it('estimates pass^k without bias: the mean over all samples is the power', () => {
  // Four samples of which each passes with probability 0.7: each of the 16 outcomes, with its probability.
  let mean = 0
  for (let bits = 0; bits < 16; bits++) {
    const passed = [1, 2, 4, 8].filter((bit) => (bits & bit) !== 0).length
    mean += 0.7 ** passed * 0.3 ** (4 - passed) * passPower(passed, 4, 3)
  }
  expect(mean).toBeCloseTo(0.7 ** 3, 14)
})

it.each([
  [() => wilsonInterval(3, 2), 'passed has to be a whole number from 0 to total (2): 3'],
  [() => wilsonInterval(0, 1.5), 'total has to be a whole number from 0: 1.5'],
  [() => wilsonInterval(1, 2, 1), 'confidence has to be above 0 and below 1: 1'],
  [() => wilsonInterval(1, 2, Number.NaN), 'confidence has to be above 0 and below 1: NaN'],
  [() => differenceInterval({ passed: -1, total: 2 }, { passed: 0, total: 0 }), 'passed has to be a whole number from 0 to total (2): -1'],
  [() => passPower(2, 3, 4), 'k has to be a whole number from 0 to total (3): 4'],
  [() => new SequentialTest({ atLeast: 1.1 }), 'atLeast has to be above 0 and at most 1: 1.1'],
  [() => new SequentialTest({ atLeast: 0 }), 'atLeast has to be above 0 and at most 1: 0'],
  [() => new SequentialTest({ atLeast: 0.9, margin: 0.9 }), 'margin has to be above 0 and below atLeast (0.9): 0.9'],
  [() => new SequentialTest({ atLeast: 0.9, margin: 0 }), 'margin has to be above 0 and below atLeast (0.9): 0'],
  [() => new SequentialTest({ atLeast: 0.9, alpha: 0.5 }), 'alpha has to be above 0 and below 0.5: 0.5'],
  [() => new SequentialTest({ atLeast: 0.9, beta: 0 }), 'beta has to be above 0 and below 0.5: 0'],
])('refuses what is no probability or no count (%#)', (call, message) => {
  expect(call).toThrow(new RangeError(message))
})

it.each([
  // The first n of n passes that hold: the least n with (atLeast / (atLeast - margin)) ** n >= 19, by hand.
  [{ atLeast: 0.9 }, 12],
  [{ atLeast: 0.9, margin: 0.15 }, 17],
  [{ atLeast: 0.95 }, 13],
  [{ atLeast: 1 }, 14],
  [{ atLeast: 0.5 }, 6],
  [{ atLeast: 0.1 }, 5],
  [{ atLeast: 0.9, alpha: 0.01 }, 19],
])('holds %j after %d samples that all pass, and no sooner', (options, count) => {
  const test = new SequentialTest(options)
  for (let sample = 1; sample < count; sample++) test.add(true)
  expect(test.verdict).toBe('undecided')
  test.add(true)
  expect(test.verdict).toBe('held')
})

it('holds 0.9 within 20 samples with one failure, and not with two', () => {
  expect(verdictOf('F' + 'P'.repeat(16))).toBe('undecided')
  expect(verdictOf('F' + 'P'.repeat(17))).toBe('held')
  expect(verdictOf('FF' + 'P'.repeat(18))).toBe('undecided')
})

it('does not hold 0.9 after three failures in four samples or four in nine, nor 1 after one', () => {
  for (const samples of ['FF', 'PPFFF', 'PFPFPF', 'PPPPPPFFFF']) expect(verdictOf(samples)).toBe('undecided')
  for (const samples of ['FFF', 'PFFF', 'PFPFPFF', 'PPPPPFFFF']) expect(verdictOf(samples)).toBe('not held')
  const always = new SequentialTest({ atLeast: 1 })
  for (let sample = 0; sample < 13; sample++) always.add(true)
  always.add(false)
  expect(always.verdict).toBe('not held')
})

it('keeps a verdict once it has one', () => {
  expect(verdictOf('P'.repeat(12) + 'F'.repeat(50))).toBe('held')
  expect(verdictOf('FFF' + 'P'.repeat(500))).toBe('not held')
})

/*
 * Exact rational arithmetic in Python, over the sequences of passes (probability p) that have no verdict yet, rounded to six places:
 *
 *   from fractions import Fraction as F
 *   def rates(p1, m, n, p, a=F(1, 20), b=F(1, 20)):
 *       live, held, no, mean = {(0, 0): F(1)}, F(0), F(0), F(0)
 *       for i in range(n):
 *           new = {}
 *           for (s, f), q in live.items():
 *               for k, w in (((s + 1, f), q * p), ((s, f + 1), q * (1 - p))):
 *                   r = (p1 / (p1 - m)) ** k[0] * ((1 - p1) / (1 - p1 + m)) ** k[1]
 *                   if r >= (1 - b) / a: held += w; mean += w * (i + 1)
 *                   elif r <= b / (1 - a): no += w; mean += w * (i + 1)
 *                   else: new[k] = new.get(k, 0) + w
 *           live = new
 *       return held, no, sum(live.values()), mean + sum(live.values()) * n
 *   rates(F(9, 10), F(2, 10), 20, F(p))
 */
it.each([
  [0.9, 20, 0.3, 0.000001, 0.999966, 0.000033, 4.8188],
  [0.9, 20, 0.5, 0.00029, 0.983053, 0.016657, 7.925909],
  [0.9, 20, 0.7, 0.022216, 0.632059, 0.345726, 14.445934],
  [0.9, 20, 0.8, 0.122763, 0.24679, 0.630448, 17.441219],
  [0.9, 20, 0.9, 0.482556, 0.022873, 0.494571, 17.145586],
  [0.9, 20, 0.95, 0.791232, 0.001555, 0.207213, 15.158677],
  [0.9, 20, 0.99, 0.987538, 0.000005, 0.012457, 12.706537],
  [0.9, 20, 1, 1, 0, 0, 12],
  [0.9, 50, 0.7, 0.042521, 0.907334, 0.050144, 19.38849],
  [0.9, 50, 0.9, 0.913032, 0.031991, 0.054977, 23.582796],
  [0.8, 20, 0.8, 0.305925, 0.019045, 0.67503, 18.177224],
  [0.95, 20, 0.95, 0.513342, 0.022594, 0.464064, 16.151156],
  [0.99, 20, 0.5, 0.000061, 0.999865, 0.000074, 3.000376],
  [1, 20, 0.8, 0.04398, 0.95602, 0, 4.780098],
])('judges at least %d within %d samples as exactly often as it should where %d pass', (atLeast, samples, p, held, no, open, mean) => {
  const rates = ratesOf(atLeast, samples, p)
  expect(rates.held).toBeCloseTo(held, 6)
  expect(rates['not held']).toBeCloseTo(no, 6)
  expect(rates.undecided).toBeCloseTo(open, 6)
  expect(rates.samples).toBeCloseTo(mean, 4)
})

it.each([0.3, 0.5, 0.75, 0.8, 0.9, 0.95, 0.99, 1])(
  'is wrong at most as often as promised at atLeast %d, however long it runs',
  (atLeast) => {
    const margin = Math.min(0.2, atLeast / 2)
    const [worse, good] = [ratesOf(atLeast, 400, atLeast - margin), ratesOf(atLeast, 400, atLeast)]
    // Wald: alpha + beta are kept together, and each by itself up to alpha / (1 - beta).
    expect(worse.held).toBeLessThan(0.05 / 0.95)
    expect(good['not held']).toBeLessThan(0.05 / 0.95)
    expect(worse.held + good['not held']).toBeLessThan(0.1)
    expect(worse.undecided + good.undecided).toBeLessThan(1e-5)
  },
)

function verdictOf(samples: string): SequentialTest['verdict'] {
  const test = new SequentialTest({ atLeast: 0.9 })
  for (const sample of samples) test.add(sample === 'P')
  return test.verdict
}

type Rates = Record<SequentialTest['verdict'] | 'samples', number>

/**
 * How often each verdict comes, and the mean number of samples until it comes, where a sample passes with probability `p`: over all sequences,
 * those with the same counts and without a verdict taken together. What the class decides is seen in its verdict only.
 */
function ratesOf(atLeast: number, samples: number, p: number): Rates {
  const rates: Rates = { held: 0, 'not held': 0, undecided: 0, samples: 0 }
  let open = new Map([['0', { path: [] as readonly boolean[], weight: 1 }]])
  for (let count = 1; count <= samples; count++) {
    const next: typeof open = new Map()
    for (const { path, weight } of open.values()) {
      for (const [passes, chance] of [
        [true, p],
        [false, 1 - p],
      ] as const) {
        if (chance === 0) continue
        const longer = [...path, passes]
        const test = new SequentialTest({ atLeast })
        for (const sample of longer) test.add(sample)
        const key = String(longer.filter(Boolean).length)
        if (test.verdict === 'undecided') next.set(key, { path: longer, weight: (next.get(key)?.weight ?? 0) + weight * chance })
        else {
          rates[test.verdict] += weight * chance
          rates.samples += weight * chance * count
        }
      }
    }
    open = next
  }
  for (const { weight } of open.values()) rates.undecided += weight
  return { ...rates, samples: rates.samples + rates.undecided * samples }
}
