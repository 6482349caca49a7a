import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { Db, OwnerId } from '#lib/server/db.ts'
import type { Issuer } from '../receipt-queries.ts'
import { readMonth } from './month-statement.ts'
import { writeStatement } from './statement-pdf.ts'

/**
 * A month's statement as PDF. It is finished on disk before its first byte is answered, so that an error is an error instead
 * of half a file, and no slow reader holds a connection to the database. The file goes when the stream closes.
 */
export async function makeStatement(
	db: Db,
	issuer: Issuer,
	wanted: { owner: OwnerId; month: string },
): Promise<Readable> {
	const folder = await mkdtemp(join(tmpdir(), 'statement-'))
	const discard = () => rm(folder, { recursive: true, force: true })
	try {
		const path = join(folder, 'statement.pdf')
		await readMonth(db, wanted, async (statement) => {
			const file = createWriteStream(path)
			const written = finished(file)
			await Promise.all([writeStatement(statement, issuer, file), written])
		})
		return createReadStream(path).once('close', () => void discard())
	} catch (error) {
		await discard()
		throw error
	}
}
