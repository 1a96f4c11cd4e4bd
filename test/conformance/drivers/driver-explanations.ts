/** A flow that is not green, and why. */
export interface DriverExplanation {
  readonly driver: string
  /** Default: all. */
  readonly version?: string
  readonly flow?: string
  readonly time?: 'early' | 'late'
  /** A major version of Node. Default: all. */
  readonly node?: number
  readonly why: string
}

export const driverExplanations: readonly DriverExplanation[] = [
  {
    driver: 'mongodb',
    version: '5.9.2',
    why: 'before 6.6, the classes of mongodb are not those that are met: its connection is noted as an unrecorded contact, and refused in a replay.',
  },
]
