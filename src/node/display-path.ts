import path from 'node:path'

/** A file as people are shown it: from the working directory, or absolute where it lies outside; always with forward slashes. */
export function displayPath(file: string): string {
  const absolute = path.resolve(file)
  const relative = path.relative(process.cwd(), absolute)
  const isInside = relative !== '' && relative.split(path.sep, 1)[0] !== '..' && !path.isAbsolute(relative)
  return (isInside ? relative : absolute).replaceAll(path.sep, '/')
}
