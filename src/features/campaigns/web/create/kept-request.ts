import { newRequestId } from '#lib/request-id.ts'
import { draftOf, likeForm } from '#lib/web/drafts/draft-store.ts'

interface KeptRequest {
	/** Under which an order was sent whose answer has not come. */
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
/** What is sent later than this is another campaign, as one of every morning with the same texts. */
const SAME_ORDER_MS = 60 * 60 * 1000

/**
 * Names the order of a form so that it is carried out once, also when it is sent again after a crash or a new sign-in: its
 * fields came back as a draft, and its first answer may have been lost. Where the fields are others by then, the server says so.
 */
export function keptRequest({ draftName, store = draftOf(`${draftName}:request`) }: RequestOptions) {
	// A full storage keeps nothing.
	let last: KeptRequest | null = null
	return {
		/** Call it right before sending. */
		idFor(chosen: File | null): string {
			const file = chosen ? `${chosen.name} ${chosen.size} ${chosen.lastModified}` : ''
			const kept = likeForm(store.read(), NONE) ?? last
			const isSame = kept !== null && kept.file === file && Date.now() - kept.at < SAME_ORDER_MS
			last = isSame ? kept : { id: newRequestId(), file, at: Date.now() }
			store.write(last, NONE)
			return last.id
		},
		/** Call it when the server has said what became of the order: the next one is another. */
		answered() {
			last = null
			store.clear()
		},
	}
}
