/** Ships the directory that is its first argument to the bucket that is its second, over and over. Prints a line when it has begun. */
import { createS3Store } from '../../../src/fleet/create-s3-store.ts'
import { Shipper } from '../../../src/fleet/shipper.ts'
import { createDirectoryStore } from '../../../src/stores/directory-store.ts'

const [directory = '', url = ''] = process.argv.slice(2)
const bucket = createS3Store(url)
const shipper = new Shipper(createDirectoryStore(directory), bucket)
console.log('begun')
for (;;) {
  const { runs, isBusy } = await shipper.ship()
  await bucket.compact('9')
  if (isBusy !== true && runs === 0) console.log('empty')
}
