/** What goes wrong with a store's server or disk. */
export interface FaultKind {
  /** What a person calls it. */
  readonly name: string
  /** Whether it passes by itself, so that a server takes everything in the end. A disk is asked only once. */
  readonly passes: boolean
}

/** The name of a kind. */
export type Fault =
  | ('refuse' | 'full' | 'readOnly' | 'gone' | 'hang' | 'nonsense')
  | ('slow' | 'halfWrite' | 'lostAnswer' | 'cutAnswer' | 'flap' | 'restart')

/** Twelve kinds. Each happens to every store in its own way: see `disk-faults.ts`, `faulty-bucket.ts` and `faulty-redis.ts`. */
export const FAULT_KINDS: Readonly<Record<Fault, FaultKind>> = {
  refuse: { name: 'refuses', passes: false },
  full: { name: 'is full', passes: false },
  readOnly: { name: 'takes no writes', passes: false },
  gone: { name: 'is gone', passes: false },
  hang: { name: 'never answers', passes: false },
  nonsense: { name: 'answers nonsense', passes: false },
  slow: { name: 'is slow', passes: true },
  halfWrite: { name: 'takes half of a write', passes: true },
  lostAnswer: { name: 'loses an answer', passes: true },
  cutAnswer: { name: 'cuts an answer off', passes: true },
  flap: { name: 'fails again and again', passes: true },
  restart: { name: 'is away for a moment', passes: true },
}

/** Every kind. */
export const FAULTS: readonly Fault[] = Object.keys(FAULT_KINDS) as Fault[]

/** How long a store is away that comes back, in milliseconds. */
export const AWAY = 400
