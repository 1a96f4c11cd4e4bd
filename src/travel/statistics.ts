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

/** How far a standard normal variable is from 0 at most, with a probability of 95 %. */
const z95 = 1.9599639845400536

/**
 * Returns Wilson's score interval for the share of samples that pass, without continuity correction. Without samples it is 0 to 1.
 *
 * @param z How far a standard normal variable is from 0 at most, as often as the interval contains the share. Default: for 95 %.
 * @see E. B. Wilson, Journal of the American Statistical Association 22 (1927) 209-212
 * @throws RangeError for invalid counts.
 */
export function wilsonInterval(passed: number, total: number, z: number = z95): Interval {
  checkTally({ passed, total })
  if (total === 0) return { low: 0, high: 1 }
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
 * @param z How far a standard normal variable is from 0 at most, as often as the interval contains the difference. Default: for 95 %.
 * @see R. G. Newcombe, Statistics in Medicine 17 (1998) 873-890
 * @throws RangeError for invalid counts.
 */
export function differenceInterval(a: Tally, b: Tally, z: number = z95): Interval {
  const [ofA, ofB] = [a, b].map(({ passed, total }) => wilsonInterval(passed, total, z)) as [Interval, Interval]
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

function checkTally({ passed, total }: Tally): void {
  check(Number.isInteger(total) && total >= 0, 'total', 'has to be a whole number from 0', total)
  check(Number.isInteger(passed) && passed >= 0 && passed <= total, 'passed', `has to be a whole number from 0 to total (${total})`, passed)
}

function check(isValid: boolean, name: string, rule: string, value: number): void {
  if (!isValid) throw new RangeError(`${name} ${rule}: ${value}`)
}
