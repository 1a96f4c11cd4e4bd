interface Printable {
  toString(): string
}

/** What the tests use of `Temporal`. */
export interface Temporal {
  readonly Now: Readonly<Record<'instant' | 'zonedDateTimeISO' | 'plainDateTimeISO' | 'plainDateISO', (timeZone?: string) => Printable>> & {
    readonly timeZoneId: () => string
  }
  readonly Instant: { readonly fromEpochMilliseconds: (milliseconds: number) => Printable }
}

/** Node's `Temporal`, which it has from 26 on; before, one that can do as much as the tests need, in UTC. */
export function provideTemporal(): Temporal {
  const home = globalThis as { Temporal?: Temporal }
  return (home.Temporal ??= createTemporal())
}

function createTemporal(): Temporal {
  const realNow = Date.now
  const text = (value: string): Printable => ({ toString: () => value })
  const instant = (milliseconds: number): Printable => {
    const iso = new Date(milliseconds).toISOString()
    const zoned = {
      toPlainDateTime: () => text(iso.slice(0, -1)),
      toPlainDate: () => text(iso.slice(0, 10)),
      toPlainTime: () => text(iso.slice(11, -1)),
      toString: () => iso.replace('Z', '+00:00[UTC]'),
    }
    const made = { toZonedDateTimeISO: () => zoned, toString: () => iso.replace('.000', '') }
    return made
  }
  const iso = (): string => new Date(realNow()).toISOString()
  return {
    Now: {
      instant: () => text(iso()),
      timeZoneId: () => 'UTC',
      zonedDateTimeISO: () => text(iso().replace('Z', '+00:00[UTC]')),
      plainDateTimeISO: () => text(iso().slice(0, -1)),
      plainDateISO: () => text(iso().slice(0, 10)),
    },
    Instant: { fromEpochMilliseconds: instant },
  }
}
