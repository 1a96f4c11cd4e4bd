import path from 'node:path'
import { Option } from 'commander'
import { loadConfig } from '../config/load-config.ts'
import { DEFAULT_STORE } from '../stores/default-store.ts'
import type { TraceStore } from '../stores/trace-store.ts'

/** The option for the location of recordings. */
export function storeOption(): Option {
  return new Option('--store <dir>', `the directory that your recorder writes to (default: the config's, or "${DEFAULT_STORE}")`)
}

/** The location of recordings: from the option, or else the config. */
export async function storeOf(option: string | undefined): Promise<string | TraceStore> {
  if (option !== undefined) return option
  const { config, file } = await loadConfig()
  if (file === undefined || config.store === undefined) return DEFAULT_STORE
  return typeof config.store === 'string' ? path.resolve(path.dirname(file), config.store) : config.store
}

/** The option that turns a command's output into data. */
export function jsonOption(): Option {
  return new Option('--json', 'print one JSON object and nothing else')
}
