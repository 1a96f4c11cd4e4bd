import type Picomatch from 'picomatch'

/**
 * Returns the names of the goldens that match a pattern: `refund-*`, `support/**`, `{refund,cancel}-*`. `*` is anything but a slash. As everywhere,
 * a golden's folder may be left out.
 */
export async function matchGoldens(pattern: string, names: readonly string[]): Promise<string[]> {
  const { default: picomatch } = await import('picomatch')
  return matchGoldensBy(picomatch, pattern, names)
}

/** Like `matchGoldens`, with picomatch already loaded. */
export function matchGoldensBy(picomatch: typeof Picomatch, pattern: string, names: readonly string[]): string[] {
  // A backslash before a word character is a Windows path separator; before other characters, it escapes.
  const path = pattern.replaceAll(/\\(?=\w)/g, '/')
  // `s`: a name with a line break is matched like any other, so that its reader can refuse it.
  const isMatch = picomatch([path, `**/${path}`], { dot: true, flags: 's' })
  return names.filter((name) => isMatch(name))
}

/** Returns whether a name is a pattern. */
export function isGoldenPattern(name: string): boolean {
  return /[*?[\]{}]/.test(name)
}
