import type Picomatch from 'picomatch'

/**
 * The names of the goldens that match a pattern: `refund-*`, `support/**`, `{refund,cancel}-*`. `*` is anything but a slash. As everywhere,
 * a golden's folder may be left out.
 */
export async function matchGoldens(pattern: string, names: readonly string[]): Promise<string[]> {
  const { default: picomatch } = await import('picomatch')
  return matchGoldensBy(picomatch, pattern, names)
}

/** The same, with picomatch already loaded. */
export function matchGoldensBy(picomatch: typeof Picomatch, pattern: string, names: readonly string[]): string[] {
  // A Windows path separator; before other characters, a backslash escapes.
  const path = pattern.replaceAll(/\\(?=\w)/g, '/')
  const isMatch = picomatch([path, `**/${path}`], { dot: true })
  return names.filter((name) => isMatch(name))
}

/** Whether a name is a pattern. */
export function isGoldenPattern(name: string): boolean {
  return /[*?[\]{}]/.test(name)
}
