import path from 'node:path'

/** Returns a file's path for messages: relative to the working directory, or absolute if it is outside; always with forward slashes. */
export function displayPath(file: string): string {
  const absolute = path.resolve(file)
  const relative = path.relative(process.cwd(), absolute)
  const isInside = relative !== '' && relative.split(path.sep, 1)[0] !== '..' && !path.isAbsolute(relative)
  return (isInside ? relative : absolute).replaceAll(path.sep, '/')
}
