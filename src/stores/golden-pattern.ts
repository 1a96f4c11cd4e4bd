/**
 * The goldens, by name, that a pattern means: `refund-*`, `support/**`. `*` is anything but a slash. As everywhere, a golden may be meant without
 * the folder that it stands in.
 */
export function matchGoldens(pattern: string, names: readonly string[]): string[] {
  const source = pattern
    .split(/(\*\*\/|\*\*|\*|\?)/)
    .map((part) => globs[part] ?? part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`))
    .join('')
  const matcher = new RegExp(`^(?:.*/)?${source}$`)
  return names.filter((name) => matcher.test(name))
}

/** Whether a name is a pattern. */
export function isGoldenPattern(name: string): boolean {
  return /[*?]/.test(name)
}

const globs: Readonly<Record<string, string>> = { '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]' }
