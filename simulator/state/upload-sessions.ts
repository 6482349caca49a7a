import { randomBytes } from 'node:crypto'

export interface UploadSession {
	id: string
	app_id: string
	file_name: string | null
	file_type: string
	file_length: number
	received: Buffer
}

/** Open resumable uploads. A restart loses them, and the client starts again. */
export class UploadSessions {
	readonly #sessions = new Map<string, UploadSession>()

	begin(about: Omit<UploadSession, 'id' | 'received'>): UploadSession {
		const id = `upload:${randomBytes(24).toString('base64url')}?sig=${randomBytes(12).toString('base64url')}`
		const session = { id, ...about, received: Buffer.alloc(0) }
		this.#sessions.set(id, session)
		return session
	}

	find(id: string): UploadSession | undefined {
		return this.#sessions.get(id)
	}

	clear(): void {
		this.#sessions.clear()
	}
}
