import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'

export interface ZipEntry {
	/** Path within the zip, with slashes. */
	path: string
	content: Readable
	/** True to skip compression, for content such as pictures. */
	isStored?: boolean
}

/**
 * Streams a zip. Requests each entry after the preceding one was read, so that memory is bounded; requests no more when
 * the reader stops.
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
