import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'

export interface ZipEntry {
	/** Its place in the zip, with slashes. */
	path: string
	content: Readable
	/** True for pictures and the like, which are compressed already. */
	isStored?: boolean
}

/**
 * A zip that is made while it is being sent. Each entry is asked for once the one before has been taken, so that any number of
 * any length passes through little memory; the rest is not asked for when nobody reads on.
 */
export function zipOf(entries: AsyncIterable<ZipEntry>): Readable {
	const zip = new ZipFile()
	const output = zip.outputStream as Readable
	const fail = (error: Error) => output.destroy(error)
	zip.on('error', fail)
	fill(zip, output, entries).catch(fail)
	return output
}

async function fill(zip: ZipFile, output: Readable, entries: AsyncIterable<ZipEntry>): Promise<void> {
	for await (const { path, content, isStored = false } of entries) {
		const stop = () => content.destroy(new Error('Nobody reads the zip any more'))
		output.once('close', stop)
		zip.addReadStream(content, path, { compress: !isStored })
		if (output.destroyed) stop()
		await finished(content)
		output.off('close', stop)
	}
	zip.end()
}
