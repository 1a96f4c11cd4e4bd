import type { ActiveRun } from '../../run/active-run.ts'
import type { Trace } from '../../trace/trace.ts'
import { Layers } from './layers.ts'
import { Overlay } from './overlay.ts'
import { OwnFiles } from './own-files.ts'
import { type KnownFiles, RunFiles } from './run-files.ts'
import { hookWrittenModules } from './written-modules.ts'

/** Returns the files of a replay: the recorded ones are answered, and the others are read where they are and written in a temporary tree. */
export function answeredFiles(
  run: ActiveRun,
  trace: Pick<Trace, 'header' | 'steps'>,
): { readonly files: RunFiles; readonly own: OwnFiles } {
  const own = new OwnFiles(new Layers(new Overlay()), hookWrittenModules)
  return { files: new RunFiles(run, knownFiles(trace), own), own }
}

function knownFiles({ header, steps }: Pick<Trace, 'header' | 'steps'>): KnownFiles {
  if (header.files === undefined) return { record: [], maxBytes: 0 }
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
