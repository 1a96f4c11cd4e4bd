import * as statistics from '../../src/travel/statistics.ts'

/**
 * The interval of `statistics.ts` at any confidence, to check its formula against published tables.
 *
 * @param confidence How often the interval contains the share, on average. Default: the interval's own, 0.95.
 * @throws RangeError for invalid counts, or a confidence that is not between 0 and 1.
 */
export function wilsonInterval(passed: number, total: number, confidence?: number): statistics.Interval {
  return statistics.wilsonInterval(passed, total, zOf(confidence))
}

/** The same for how much more often samples of `a` pass than samples of `b`. */
export function differenceInterval(a: statistics.Tally, b: statistics.Tally, confidence?: number): statistics.Interval {
  return statistics.differenceInterval(a, b, zOf(confidence))
}

function zOf(confidence: number | undefined): number | undefined {
  if (confidence === undefined) return undefined
  if (!(confidence > 0 && confidence < 1)) throw new RangeError(`confidence has to be above 0 and below 1: ${confidence}`)
  return normalQuantile((1 - confidence) / 2)
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
