import { HOUR_MS } from '#lib/durations.ts'
import { newRequestId } from '#lib/request-id.ts'
import { draftOf, likeForm } from './draft-store.ts'

interface KeptRequest {
	/** The idempotency key of a request that was not answered yet. */
	id: string
	/** The file that the form was sent with; empty without one. */
	file: string
	/** Time of the first submission, in milliseconds since 1970. */
	at: number
}

interface RequestOptions {
	draftName: string
	store?: Pick<ReturnType<typeof draftOf>, 'read' | 'write' | 'clear'>
}

const NONE: KeptRequest = { id: '', file: '', at: 0 }
/** Milliseconds after which the same form is a new request, such as for a daily campaign. */
const SAME_REQUEST_MS = HOUR_MS

/**
 * Returns the idempotency key of a form, stored until the server has answered. A form that returns as a draft after a
 * crash or a new sign-in keeps the key of its first attempt, whose answer may have been lost. The server refuses changed
 * fields.
 */
export function keptRequest({ draftName, store = draftOf(`${draftName}:request`) }: RequestOptions) {
	// The request for a full storage, which stores nothing.
	let last: KeptRequest | null = null
	return {
		/** Returns the key. Called right before sending. */
		idFor(chosen: File | null): string {
			const file = chosen ? `${chosen.name} ${chosen.size} ${chosen.lastModified}` : ''
			const kept = likeForm(store.read(), NONE) ?? last
			const isSame = kept !== null && kept.file === file && Date.now() - kept.at < SAME_REQUEST_MS
			last = isSame ? kept : { id: newRequestId(), file, at: Date.now() }
			store.write(last, NONE)
			return last.id
		},
		/** Forgets the key. Called when the server has answered: the next submission gets a new one. */
		answered() {
			last = null
			store.clear()
		},
	}
}
