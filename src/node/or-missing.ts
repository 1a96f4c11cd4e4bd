/** Returns what is read from a file or a folder, or `missing` if it does not exist. */
export async function orMissing<Value, Missing>(reading: Promise<Value>, missing: Missing): Promise<Value | Missing> {
  try {
    return await reading
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return missing
    throw error
  }
}
