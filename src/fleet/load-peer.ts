import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'

/** The packages that object storage needs. A project that uses it installs them. */
const PEERS = 'aws4fetch hyparquet hyparquet-writer'

/**
 * Loads an optional package.
 *
 * @throws GoldenrunError that names the packages to install.
 */
export async function loadPeer<Module>(name: string, load: () => Promise<Module>): Promise<Module> {
  try {
    return await load()
  } catch (error) {
    if (!isMissing(error)) throw error
    throw new GoldenrunError('GOLDENRUN_PEER', `Object storage needs the package "${name}". Install what it needs: npm install ${PEERS}`, {
      cause: error,
    })
  }
}

/** Returns whether the error means that a package is not installed. */
function isMissing(error: unknown): boolean {
  const { code } = (error ?? {}) as NodeJS.ErrnoException
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND'
}
