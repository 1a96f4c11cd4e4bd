/**
 * Returns a lower bound of the ratio between two builds, with 95 % confidence: the one-sided interval of Wilcoxon's signed-rank test, over the logarithms
 * of the pairs' ratios. It needs no normal distribution, which CPU times do not have: a busy machine makes some pairs wild, and those move it
 * little. It draws nothing. Source: Hollander, Wolfe and Chicken, Nonparametric Statistical Methods, 3rd edition, section 3.3.
 *
 * @param ratios The ratio of each pair: at least five, since four equal signs happen by chance more often than one time in twenty.
 */
export function lowerBound(ratios: readonly number[]): number {
  const averages = walshAverages(ratios)
  const index = criticalRank(ratios.length)
  const bound = averages[index]
  if (index < 0 || bound === undefined) throw new Error(`A bound with 95 % needs at least five pairs, and there are ${ratios.length}.`)
  return Math.exp(bound)
}

/** Returns the estimate that belongs to the bound: the median over all means of two pairs (Hodges and Lehmann). */
export function estimate(ratios: readonly number[]): number {
  const averages = walshAverages(ratios)
  const middle = (averages.length - 1) / 2
  return Math.exp(((averages[Math.floor(middle)] ?? Number.NaN) + (averages[Math.ceil(middle)] ?? Number.NaN)) / 2)
}

/** The mean of each two logarithms, and of each with itself, in order. */
function walshAverages(ratios: readonly number[]): number[] {
  const logarithms = ratios.map((ratio) => Math.log(ratio))
  return logarithms.flatMap((one, index) => logarithms.slice(index).map((other) => (one + other) / 2)).toSorted((a, b) => a - b)
}

/** Returns the largest rank sum that chance falls short of, or meets, at most one time in twenty; -1 if there is none. */
function criticalRank(pairs: number): number {
  const chances = rankSums(pairs)
  let below = 0
  let rank = -1
  while (below + (chances[rank + 1] ?? 1) <= 0.05) {
    rank += 1
    below += chances[rank] ?? 0
  }
  return rank
}

/** Returns how likely each sum of the ranks of positive signs is, if each sign is as likely as the other. */
function rankSums(pairs: number): number[] {
  let chances = [1]
  for (let rank = 1; rank <= pairs; rank += 1) {
    const before = chances
    chances = Array.from({ length: before.length + rank }, (_, sum) => ((before[sum] ?? 0) + (before[sum - rank] ?? 0)) / 2)
  }
  return chances
}
