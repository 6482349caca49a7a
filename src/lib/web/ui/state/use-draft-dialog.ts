import { useEffect, useState } from 'react'
import { draftOf } from '#lib/web/drafts/draft-store.ts'
import { DRAFT_PREFIX, readToken, storedUserId } from '#lib/web/session.ts'
import type { DialogFor } from './use-dialog-for.ts'

interface DraftDialog<Subject> extends DialogFor<Subject> {
	/** Null for something new. */
	open: (subject: Subject | null) => void
}

/** A subject that was read longer ago is not shown by itself: somebody may have changed it since. */
const SUBJECT_LIFETIME_MS = 60 * 60 * 1000

/**
 * As `useDialogFor`, of a dialog whose form keeps its draft under `draftName(form, subject)`: after a reload, or when its
 * person has signed in again, the dialog opens by itself in the tab where it stood.
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
		// A full storage must not keep a dialog closed.
	}
}

/** Undefined when the dialog was not open, or too long ago. */
function readSubject(key: string): unknown {
	try {
		const { at, subject } = JSON.parse(sessionStorage.getItem(key) ?? '{}') as { at?: number; subject?: unknown }
		return at !== undefined && Date.now() - at < SUBJECT_LIFETIME_MS ? subject : undefined
	} catch {
		return undefined
	}
}
