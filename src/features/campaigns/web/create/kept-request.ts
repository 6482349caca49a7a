import { newRequestId } from '#lib/request-id.ts'
import { draftOf, likeForm } from '#lib/web/drafts/draft-store.ts'

interface KeptRequest {
	/** The idempotency key of a request that was not answered yet. */
	id: string
	/** Names the file that it was sent with; empty without one. */
	file: string
	/** When it was first sent, in milliseconds since 1970. */
	at: number
}

interface RequestOptions {
	draftName: string
	store?: Pick<ReturnType<typeof draftOf>, 'read' | 'write' | 'clear'>
}

const NONE: KeptRequest = { id: '', file: '', at: 0 }
/** The same form sent later than this is another campaign, such as a daily one with the same texts. */
const SAME_REQUEST_MS = 60 * 60 * 1000

/**
 * The idempotency key of a form, kept until the server has answered: a form that came back as a draft, after a crash or a new
 * sign-in, is sent with the key of its first attempt, whose answer may have been lost. The server refuses changed fields.
 */
export function keptRequest({ draftName, store = draftOf(`${draftName}:request`) }: RequestOptions) {
	// A full storage keeps nothing.
	let last: KeptRequest | null = null
	return {
		/** Call it right before sending. */
		idFor(chosen: File | null): string {
			const file = chosen ? `${chosen.name} ${chosen.size} ${chosen.lastModified}` : ''
			const kept = likeForm(store.read(), NONE) ?? last
			const isSame = kept !== null && kept.file === file && Date.now() - kept.at < SAME_REQUEST_MS
			last = isSame ? kept : { id: newRequestId(), file, at: Date.now() }
			store.write(last, NONE)
			return last.id
		},
		/** Call it when the server has answered: the next submission gets a new key. */
		answered() {
			last = null
			store.clear()
		},
	}
}
