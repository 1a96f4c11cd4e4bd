/** 2020, so that numbers last for many years. */
const EPOCH = Date.UTC(2020, 0, 1)

/** How many numbers a millisecond has, so that runs that start in the same millisecond can get different ones. */
const IN_A_MILLISECOND = 2 ** 14

const ID = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)(\d{3})-([0-9a-f]{4})/

/** Returns a number for a run that sorts by time: from its id, which begins with its start, or from its start. Runs with neither come first. */
export function runNumber(id: string, startedAt: string | undefined): number {
  const [, year, month, day, hours, minutes, seconds, milliseconds, digits] = ID.exec(id) ?? []
  const inId = year === undefined ? undefined : `${year}-${month}-${day}T${hours}:${minutes}:${seconds}.${milliseconds}Z`
  // Within a millisecond, numbers follow the order of the ids as closely as they can.
  const place = digits === undefined ? 0 : Math.floor(Number.parseInt(digits, 16) / 4)
  return runNumberAt(inId ?? startedAt) + place
}

/** Returns the first number that a run of that time may have. */
export function runNumberAt(time: string | undefined): number {
  const milliseconds = time === undefined ? Number.NaN : Date.parse(time)
  return Number.isNaN(milliseconds) ? 0 : Math.max(0, milliseconds - EPOCH) * IN_A_MILLISECOND
}
