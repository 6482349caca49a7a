import { useEffect, useState } from 'react'
import { HOUR_MS } from '#lib/durations.ts'
import { draftOf } from '#lib/web/drafts/draft-store.ts'
import { DRAFT_PREFIX, readToken, storedUserId } from '#lib/web/session.ts'
import type { DialogFor } from './use-dialog-for.ts'

interface DraftDialog<Subject> extends DialogFor<Subject> {
	/** Opens the dialog for an existing item, or for a new one with null. */
	open: (subject: Subject | null) => void
}

/** Age in milliseconds above which a stored item does not reopen its dialog, since it may have changed. */
const SUBJECT_LIFETIME_MS = HOUR_MS

/**
 * Returns the state of `useDialogFor` for a dialog whose form has a draft named `draftName(form, subject)`. After a
 * reload, or when the same user has signed in again, the dialog reopens in its tab.
 */
export function useDraftDialog<Subject extends { _id: string }>(form: string): DraftDialog<Subject> {
	const [key] = useState(() => `${DRAFT_PREFIX}open:${storedUserId()}:${form}`)
	const [state, setState] = useState<Pick<DraftDialog<Subject>, 'subject' | 'opened'>>(() => {
		const subject = readSubject(key) as Subject | null | undefined
		const isOpen = subject !== undefined && draftOf(draftName(form, subject)).read() !== null
		return isOpen ? { subject, opened: true } : { subject: null, opened: false }
	})
	useEffect(
		() => () => {
			if (readToken() !== null) sessionStorage.removeItem(key)
		},
		[key],
	)
	return {
		...state,
		open(subject) {
			storeSubject(key, subject)
			setState({ subject, opened: true })
		},
		close() {
			sessionStorage.removeItem(key)
			setState((old) => ({ ...old, opened: false }))
		},
	}
}

export function draftName(form: string, subject: { _id: string } | null): string {
	return subject ? `${form}:${subject._id}` : form
}

function storeSubject(key: string, subject: unknown): void {
	try {
		sessionStorage.setItem(key, JSON.stringify({ at: Date.now(), subject }))
	} catch {
		// A full storage must not prevent opening.
	}
}

/** Returns the stored item; undefined when the dialog was not open or the item is too old. */
function readSubject(key: string): unknown {
	try {
		const { at, subject } = JSON.parse(sessionStorage.getItem(key) ?? '{}') as { at?: number; subject?: unknown }
		return at !== undefined && Date.now() - at < SUBJECT_LIFETIME_MS ? subject : undefined
	} catch {
		return undefined
	}
}
