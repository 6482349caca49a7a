import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newObjectId } from './digits.ts'
import type { Journal, JournalRecord } from './journal.ts'

export interface Media {
	id: string
	/** The number that uploaded or received the file; null for the sample of a template. */
	phone_number_id: string | null
	mime_type: string
	file_size: number
	sha256: string
	file_name: string | null
}

/** Stores uploaded and received files. With a state directory each file is stored on disk. */
export class MediaStore {
	readonly #journal: Journal
	readonly #known = new Map<string, Media>()
	readonly #bytes = new Map<string, Buffer>()

	constructor(journal: Journal) {
		this.#journal = journal
	}

	add(bytes: Buffer, about: Pick<Media, 'phone_number_id' | 'mime_type' | 'file_name'>): Media {
		const sha256 = createHash('sha256').update(bytes).digest('base64')
		const media = { id: newObjectId(), ...about, file_size: bytes.length, sha256 }
		this.#known.set(media.id, media)
		if (this.#folder()) writeFileSync(this.#path(media.id), bytes)
		else this.#bytes.set(media.id, bytes)
		this.#journal.write(['media', media])
		return media
	}

	find(id: string): Media | undefined {
		return this.#known.get(id)
	}

	bytesOf(id: string): Buffer {
		const bytes = this.#bytes.get(id)
		if (bytes) return bytes
		return this.#folder() && existsSync(this.#path(id)) ? readFileSync(this.#path(id)) : Buffer.alloc(0)
	}

	delete(id: string): void {
		this.#known.delete(id)
		this.#bytes.delete(id)
		if (this.#folder()) rmSync(this.#path(id), { force: true })
		this.#journal.write(['media-gone', id])
	}

	clear(): void {
		for (const id of Array.from(this.#known.keys())) this.delete(id)
	}

	restore([kind, first]: JournalRecord): void {
		if (kind === 'media') this.#known.set((first as Media).id, first as Media)
		if (kind === 'media-gone') this.#known.delete(first as string)
	}

	*snapshot(): Generator<JournalRecord> {
		for (const media of this.#known.values()) yield ['media', media]
	}

	#folder(): string | null {
		if (!this.#journal.directory) return null
		const folder = join(this.#journal.directory, 'media')
		mkdirSync(folder, { recursive: true })
		return folder
	}

	#path(id: string): string {
		return join(this.#folder() ?? '', id)
	}
}
