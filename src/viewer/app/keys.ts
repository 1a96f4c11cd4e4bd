import type { Line } from '../model/lines.ts'

/** The target of a key. */
export interface KeyTarget {
  /** The keys, as the help lists them. */
  readonly keys: readonly string[]
  readonly words: string
  readonly back: boolean
  /** Whether the key stops at a line. */
  stops(line: Line): boolean
}

const anywhere = (): boolean => true

const isSideEffect = ({ left, right }: Line): boolean =>
  [left, right].some((entry) => entry?.kind === 'step' && entry.step.sideEffect !== undefined)

const isModelCall = ({ left, right }: Line): boolean =>
  [left, right].some((entry) => entry?.kind === 'step' && entry.step.step.boundary === 'model')

const isDivergence = ({ mark }: Line): boolean => ['differs', 'again', 'only left', 'only right'].includes(mark)

/** The keys that move from line to line. */
export const targets: readonly KeyTarget[] = [
  { keys: ['j', 'ArrowDown', 'ArrowRight'], words: 'the next step', back: false, stops: anywhere },
  { keys: ['k', 'ArrowUp', 'ArrowLeft'], words: 'the previous step', back: true, stops: anywhere },
  { keys: ['s'], words: 'the next side effect', back: false, stops: isSideEffect },
  { keys: ['S'], words: 'the previous side effect', back: true, stops: isSideEffect },
  { keys: ['m'], words: 'the next model call', back: false, stops: isModelCall },
  { keys: ['M'], words: 'the previous model call', back: true, stops: isModelCall },
  { keys: ['d'], words: 'the next divergence', back: false, stops: isDivergence },
  { keys: ['D'], words: 'the previous divergence', back: true, stops: isDivergence },
]

/** The other keys, for the help. */
export const otherKeys: readonly (readonly [key: string, words: string])[] = [
  ['Home, End', 'the input, the outcome'],
  ['/', 'search'],
  ['Enter', 'in the search: the next match'],
  ['+, −, 0', 'zoom the timeline in, out, and to the whole run'],
  ['t', 'dark or light'],
  ['Esc', 'close, or end the search'],
  ['?', 'this list'],
]

/** Returns the message for a key without a target line; empty for every other key. */
export function noTarget(key: string): string {
  const target = targets.find(({ keys }) => keys.includes(key))
  return target === undefined ? '' : `There is no ${target.words.slice(4)}.`
}

/** Returns the line to which a key moves from a line; undefined if there is none, or the key does not move. */
export function lineFor(key: string, lines: readonly Line[], selected: string): Line | undefined {
  if (key === 'Home') return lines[0]
  if (key === 'End') return lines.at(-1)
  const target = targets.find(({ keys }) => keys.includes(key))
  if (target === undefined) return undefined
  const at = lines.findIndex((line) => line.key === selected)
  if (target.back) return lines.slice(0, Math.max(0, at)).findLast((line) => target.stops(line))
  return lines.slice(at + 1).find((line) => target.stops(line))
}
