import { tmpdir } from 'node:os'
import type { LocatedNode } from '../../../scripts/locate-node.ts'
import { installPackages } from '../install-packages.ts'
import type { TriedDriver } from './versions.ts'

/** Installs a version of a driver. @returns The folder. */
export async function installDriver(driver: TriedDriver, version: string, node: LocatedNode): Promise<string> {
  if (driver.package === undefined) return tmpdir()
  const name = `${driver.package}-${version}${driver.isNative === true ? `-${node.version}` : ''}`
  return await installPackages(name, [`${driver.package}@${version}`, ...(driver.others ?? [])], node.path)
}
