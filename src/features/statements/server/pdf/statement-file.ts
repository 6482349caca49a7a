import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { Db, AccountId } from '#lib/server/db.ts'
import type { Issuer } from '#lib/server/pdf/pdf-document.ts'
import { readMonth } from './month-statement.ts'
import { writeStatement } from './statement-pdf.ts'

interface Wanted {
	accountId: AccountId
	month: string
	/** Aborts when the client disconnects. */
	signal?: AbortSignal
}

/**
 * Returns a month's statement as a PDF stream. The PDF is complete on disk before the first byte is sent, so that an
 * error yields an error response, and a slow client holds no database connection.
 */
export async function makeStatement(db: Db, issuer: Issuer, wanted: Wanted): Promise<Readable> {
	const path = join(tmpdir(), `statement-${randomUUID()}.pdf`)
	const file = createWriteStream(path, { flags: 'wx', mode: 0o600 })
	await once(file, 'open')
	const content = createReadStream(path)
	try {
		await once(content, 'open')
		// Unlinks the file while it is open: the system frees it when the process ends, even after a crash.
		await rm(path)
		await readMonth(db, wanted, async (statement) => {
			const written = finished(file)
			await Promise.all([writeStatement(statement, issuer, file), written])
		})
		wanted.signal?.throwIfAborted()
		return content
	} catch (error) {
		file.destroy()
		content.destroy()
		await rm(path, { force: true })
		throw error
	}
}
