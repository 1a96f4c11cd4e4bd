import type Picomatch from 'picomatch'

/**
 * The goldens, by name, that a pattern means: `refund-*`, `support/**`, `{refund,cancel}-*`. `*` is anything but a slash. As everywhere, a golden
 * may be meant without the folder that it stands in.
 */
export async function matchGoldens(pattern: string, names: readonly string[]): Promise<string[]> {
  const { default: picomatch } = await import('picomatch')
  return matchGoldensBy(picomatch, pattern, names)
}

/** The same, for those who cannot wait for picomatch to be loaded. */
export function matchGoldensBy(picomatch: typeof Picomatch, pattern: string, names: readonly string[]): string[] {
  // A folder of Windows; before anything else a backslash takes a sign's meaning from it.
  const path = pattern.replaceAll(/\\(?=\w)/g, '/')
  const isMatch = picomatch([path, `**/${path}`], { dot: true })
  return names.filter((name) => isMatch(name))
}

/** Whether a name is a pattern. */
export function isGoldenPattern(name: string): boolean {
  return /[*?[\]{}]/.test(name)
}
