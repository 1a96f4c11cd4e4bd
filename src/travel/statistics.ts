/** An interval that contains a number, both ends included. */
export interface Interval {
  readonly low: number
  readonly high: number
}

/** How many of some samples passed. */
export interface Tally {
  readonly passed: number
  readonly total: number
}

/** The options of a sequential test. */
export interface SequentialTestOptions {
  /** The share of samples that has to pass, above 0 and at most 1. */
  readonly atLeast: number
  /**
   * How far below `atLeast` a share counts as failing. Shares in between may get either verdict. A smaller margin needs more samples.
   * Default: 0.2, and half of `atLeast` where that is less.
   */
  readonly margin?: number
  /** The approximate rate of `held` if no more than `atLeast - margin` pass: at most `alpha / (1 - beta)`. Default: 0.05. */
  readonly alpha?: number
  /** The approximate rate of `not held` if `atLeast` or more pass: at most `beta / (1 - alpha)`. Default: 0.05. */
  readonly beta?: number
}

/**
 * Returns Wilson's score interval for the share of samples that pass, without continuity correction. Without samples it is 0 to 1.
 *
 * @param confidence How often the interval contains the share, on average. Default: 0.95.
 * @see E. B. Wilson, Journal of the American Statistical Association 22 (1927) 209-212
 * @throws RangeError for invalid counts, or a confidence that is not between 0 and 1.
 */
export function wilsonInterval(passed: number, total: number, confidence: number = 0.95): Interval {
  checkTally({ passed, total })
  check(confidence > 0 && confidence < 1, 'confidence', 'has to be above 0 and below 1', confidence)
  if (total === 0) return { low: 0, high: 1 }
  const z = normalQuantile((1 - confidence) / 2)
  const share = passed / total
  const centre = share + z ** 2 / (2 * total)
  const width = z * Math.sqrt((share * (1 - share)) / total + z ** 2 / (4 * total ** 2))
  const scale = 1 + z ** 2 / total
  return { low: passed === 0 ? 0 : (centre - width) / scale, high: passed === total ? 1 : (centre + width) / scale }
}

/**
 * Returns pass^k: the estimated probability that `k` new samples all pass. It is C(passed, k) / C(total, k), the share of the choices of `k` samples
 * in which all passed. This estimate is unbiased; `(passed / total) ** k` is not.
 *
 * @see S. Yao et al., τ-bench (2024), arXiv:2406.12045, section 3
 * @throws RangeError for invalid counts, or a `k` greater than `total`.
 */
export function passPower(passed: number, total: number, k: number): number {
  checkTally({ passed, total })
  check(Number.isInteger(k) && k >= 0 && k <= total, 'k', `has to be a whole number from 0 to total (${total})`, k)
  let power = 1
  for (let index = 0; index < k; index++) power *= Math.max(0, passed - index) / (total - index)
  return power
}

/**
 * Returns an interval for how much more often samples of `a` pass than samples of `b`: Newcombe's hybrid score interval (method 10), from the Wilson
 * intervals of both. If one of them has no samples it is -1 to 1.
 *
 * @param confidence How often the interval contains the difference, on average. Default: 0.95.
 * @see R. G. Newcombe, Statistics in Medicine 17 (1998) 873-890
 * @throws RangeError for invalid counts, or a confidence that is not between 0 and 1.
 */
export function differenceInterval(a: Tally, b: Tally, confidence: number = 0.95): Interval {
  const [ofA, ofB] = [a, b].map(({ passed, total }) => wilsonInterval(passed, total, confidence)) as [Interval, Interval]
  if (a.total === 0 || b.total === 0) return { low: -1, high: 1 }
  const [shareA, shareB] = [a.passed / a.total, b.passed / b.total]
  const difference = shareA - shareB
  return {
    low: difference - Math.hypot(shareA - ofA.low, ofB.high - shareB),
    high: difference + Math.hypot(ofA.high - shareA, shareB - ofB.low),
  }
}

/**
 * Wald's sequential probability ratio test. Takes samples one by one, and decides as early as it can whether a share of at least `atLeast` pass
 * (`held`) or of at most `atLeast - margin` (`not held`). A verdict is final: later samples do not change it. Before it decides, the verdict is
 * `undecided`.
 *
 * With the defaults and `atLeast: 0.9`, `held` takes 12 samples that all pass, or 18 with one failure; `not held` takes 3 failures in the
 * first 4 samples, or 4 in the first 9. With at most 20 samples, by exact computation:
 *
 * | samples that pass | held | not held | undecided | samples taken |
 * | --- | --- | --- | --- | --- |
 * | all | 100 % | 0 % | 0 % | 12 |
 * | 99 % | 98.8 % | 0.0 % | 1.2 % | 12.7 |
 * | 95 % | 79.1 % | 0.2 % | 20.7 % | 15.2 |
 * | 90 % | 48.3 % | 2.3 % | 49.5 % | 17.1 |
 * | 80 % | 12.3 % | 24.7 % | 63.0 % | 17.4 |
 * | 70 % | 2.2 % | 63.2 % | 34.6 % | 14.4 |
 * | 50 % | 0.0 % | 98.3 % | 1.7 % | 7.9 |
 *
 * The default margin is the smallest, in steps of 0.05, with which one failure in 20 samples can still hold 0.9. `held` does not prove that 90 %
 * pass: it rules out 70 %.
 * @see A. Wald, Annals of Mathematical Statistics 16 (1945) 117-186
 */
export class SequentialTest {
  /** The amount that a passed sample adds to the logarithm of the likelihood ratio. */
  readonly #pass: number
  readonly #fail: number
  readonly #upper: number
  readonly #lower: number
  #sum = 0
  #verdict: 'held' | 'not held' | 'undecided' = 'undecided'

  /** @throws RangeError for an option out of its range. */
  constructor({ atLeast, margin = Math.min(0.2, atLeast / 2), alpha = 0.05, beta = 0.05 }: SequentialTestOptions) {
    check(atLeast > 0 && atLeast <= 1, 'atLeast', 'has to be above 0 and at most 1', atLeast)
    check(margin > 0 && margin < atLeast, 'margin', `has to be above 0 and below atLeast (${atLeast})`, margin)
    check(alpha > 0 && alpha < 0.5, 'alpha', 'has to be above 0 and below 0.5', alpha)
    check(beta > 0 && beta < 0.5, 'beta', 'has to be above 0 and below 0.5', beta)
    const worse = atLeast - margin
    this.#pass = Math.log(atLeast / worse)
    // -Infinity if all samples have to pass: one failure decides.
    this.#fail = Math.log((1 - atLeast) / (1 - worse))
    this.#upper = Math.log((1 - beta) / alpha)
    this.#lower = Math.log(beta / (1 - alpha))
  }

  /** The verdict so far. */
  get verdict(): 'held' | 'not held' | 'undecided' {
    return this.#verdict
  }

  /** Adds a sample. */
  add(passed: boolean): void {
    if (this.#verdict !== 'undecided') return
    this.#sum += passed ? this.#pass : this.#fail
    if (this.#sum >= this.#upper) this.#verdict = 'held'
    else if (this.#sum <= this.#lower) this.#verdict = 'not held'
  }
}

/**
 * Returns the number that a standard normal variable exceeds with a given probability below 0.5, to about 16 digits.
 *
 * @see M. J. Wichura, algorithm AS 241 (PPND16), Applied Statistics 37 (1988) 477-484
 */
function normalQuantile(tail: number): number {
  const q = 0.5 - tail
  if (q <= 0.425) return (q * polynomial(CENTRE, 0.180625 - q ** 2)) / polynomial(UNDER_CENTRE, 0.180625 - q ** 2)
  const r = Math.sqrt(-Math.log(tail))
  return r <= 5 ? polynomial(NEAR, r - 1.6) / polynomial(UNDER_NEAR, r - 1.6) : polynomial(FAR, r - 5) / polynomial(UNDER_FAR, r - 5)
}

function polynomial(coefficients: readonly number[], x: number): number {
  return coefficients.reduceRight((sum, coefficient) => sum * x + coefficient, 0)
}

const CENTRE = [
  3.3871328727963665, 133.14166789178438, 1971.5909503065513, 13731.69376550946, 45921.95393154987, 67265.7709270087, 33430.57558358813,
  2509.0809287301227,
]
const UNDER_CENTRE = [
  1, 42.31333070160091, 687.1870074920579, 5394.196021424751, 21213.794301586597, 39307.89580009271, 28729.085735721943, 5226.495278852854,
]
const NEAR = [
  1.4234371107496835, 4.630337846156546, 5.769497221460691, 3.6478483247632045, 1.2704582524523684, 0.2417807251774506,
  0.022723844989269184, 0.0007745450142783414,
]
const UNDER_NEAR = [
  1, 2.053191626637759, 1.6763848301838038, 0.6897673349851, 0.14810397642748008, 0.015198666563616457, 0.0005475938084995345,
  1.0507500716444169e-9,
]
const FAR = [
  6.657904643501103, 5.463784911164114, 1.7848265399172913, 0.29656057182850487, 0.026532189526576124, 0.0012426609473880784,
  0.000027115555687434876, 2.0103343992922881e-7,
]
const UNDER_FAR = [
  1, 0.599832206555888, 0.1369298809227358, 0.014875361290850615, 0.0007868691311456133, 0.000018463183175100548, 1.421511758316446e-7,
  2.0442631033899397e-15,
]

function checkTally({ passed, total }: Tally): void {
  check(Number.isInteger(total) && total >= 0, 'total', 'has to be a whole number from 0', total)
  check(Number.isInteger(passed) && passed >= 0 && passed <= total, 'passed', `has to be a whole number from 0 to total (${total})`, passed)
}

function check(isValid: boolean, name: string, rule: string, value: number): void {
  if (!isValid) throw new RangeError(`${name} ${rule}: ${value}`)
}
