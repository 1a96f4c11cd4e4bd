import path from 'node:path'

/** Returns the file that says what the accepted runs of an agent were made of. An agent's name may have characters that no file name has. */
export function acceptedFile(goldens: string, agent: string): string {
  const name = encodeURIComponent(agent).replaceAll('*', '%2A')
  return path.join(goldens, `${name}.accepted`)
}

/** Returns a file's path as rows have it: from the folder that contains the directory of goldens, with forward slashes. */
export function placeFrom(goldens: string, file: string): string {
  return path.relative(path.dirname(goldens), file).replaceAll(path.sep, '/')
}
