import { CHUNK_ROWS } from '#features/contacts/rules.ts'
import type { ContactRow } from './csv/contacts-file.ts'
import type { Rejected } from './csv/csv-report.ts'

export interface Upload {
	/** `lost`: the server could not be reached; `refused`: the server rejected the rest. */
	phase: 'sending' | 'paused' | 'lost' | 'refused' | 'done'
	total: number
	/** Rows that the server has answered. */
	sent: number
	saved: number
	existing: number
	/** Number of existing contacts that changed. */
	updated: number
	/** Number of values that were left out, because they do not fit their field or have no field. */
	skipped: number
	/** Number of phone numbers that the rows opted out of marketing. */
	optedOut: number
	rejected: Rejected[]
	/** Rows that were taken without some of their tags or values. */
	leftOut: Rejected[]
	errors: string[]
	/** Error that stopped the upload. */
	error: unknown
}

interface ChunkAnswer {
	savedContacts: number
	existingContacts: number
	updatedContacts: number
	skippedValues: number
	optedOutContacts: number
	errors: string[]
	rejected: Rejected[]
	leftOut: Rejected[]
}

interface UploadDeps {
	total: number
	take: (from: number, count: number) => Promise<ContactRow[]>
	send: (rows: ContactRow[]) => Promise<ChunkAnswer>
	/** Returns true when the same rows may be sent again after this error. */
	isPassing: (error: unknown) => boolean
	onChange: (upload: Upload) => void
}

export interface UploadRun {
	pause(): void
	resume(): void
	/** Ends the upload; saved rows remain. */
	stop(): void
}

/**
 * Sends the rows in batches. A batch without a response sets the phase `lost`, and `resume` sends it again: contacts
 * that the first attempt saved then count as existing.
 */
export function startUpload({ total, take, send, isPassing, onChange }: UploadDeps): UploadRun {
	let state: Upload = {
		phase: 'sending',
		total,
		sent: 0,
		saved: 0,
		existing: 0,
		updated: 0,
		skipped: 0,
		optedOut: 0,
		rejected: [],
		leftOut: [],
		errors: [],
		error: null,
	}
	let isRunning = false
	const change = (part: Partial<Upload>) => {
		state = { ...state, ...part }
		onChange(state)
	}

	const sendNext = async () => {
		const from = state.sent
		const rows = await take(from, CHUNK_ROWS)
		const answer = await send(rows)
		const inFile = ({ index, reason }: Rejected) => ({ index: from + index, reason })
		change({
			sent: from + rows.length,
			saved: state.saved + answer.savedContacts,
			existing: state.existing + answer.existingContacts,
			updated: state.updated + answer.updatedContacts,
			skipped: state.skipped + answer.skippedValues,
			optedOut: state.optedOut + answer.optedOutContacts,
			rejected: [...state.rejected, ...answer.rejected.map(inFile)],
			leftOut: [...state.leftOut, ...answer.leftOut.map(inFile)],
			errors: [...state.errors, ...answer.errors],
		})
	}

	const run = async () => {
		if (isRunning) return
		isRunning = true
		try {
			while (state.phase === 'sending' && state.sent < total) await sendNext()
			if (state.sent >= total) change({ phase: 'done' })
		} catch (error) {
			change({ phase: isPassing(error) ? 'lost' : 'refused', error })
		} finally {
			isRunning = false
		}
		// The upload may have been resumed while the last batch was in flight.
		if (state.phase === 'sending') void run()
	}

	change({})
	void run()
	return {
		pause: () => state.phase === 'sending' && change({ phase: 'paused' }),
		resume() {
			if (state.phase !== 'paused' && state.phase !== 'lost') return
			change({ phase: 'sending', error: null })
			void run()
		},
		stop: () => state.phase !== 'done' && change({ phase: 'done' }),
	}
}
