import type { KnownFiles } from '../../run/active-run.ts'
import type { Trace } from '../../trace/trace.ts'

/** Returns the files that a replay answers. */
export function answeredFiles({ header, steps }: Pick<Trace, 'header' | 'steps'>): KnownFiles | undefined {
  if (header.files === undefined) return undefined
  const links = new Map<string, string>()
  for (const { name, input, output } of steps) {
    if (name !== 'file read') continue
    const [path, target] = [fieldOf(input, 'path'), fieldOf(output, 'target')]
    if (path !== undefined && target !== undefined && fieldOf(output, 'kind') === 'link') links.set(path, target)
  }
  return { ...header.files, links }
}

function fieldOf(value: unknown, name: string): string | undefined {
  const field: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
  return typeof field === 'string' ? field : undefined
}
