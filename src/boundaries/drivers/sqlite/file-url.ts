import { fileURLToPath } from 'node:url'

/** The path of a `file:` URL, which SQLite also takes with a relative path. */
export function pathOfUrl(url: string): string {
  try {
    return fileURLToPath(new URL(url))
  } catch {
    return url.replace(/^file:(?:\/\/)?/, '').replace(/[?#].*/, '')
  }
}
