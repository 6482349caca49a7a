import { useEffect, useState } from 'react'
import { draftOf } from '#lib/web/drafts/draft-store.ts'
import { DRAFT_PREFIX, readToken, storedUserId } from '#lib/web/session.ts'

interface DraftDialog<Subject> {
	/** Null for something new, and before the first opening. */
	subject: Subject | null
	opened: boolean
	open: (subject: Subject | null) => void
	close: () => void
}

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
			sessionStorage.setItem(key, JSON.stringify(subject))
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

/** Undefined when the dialog was not open. */
function readSubject(key: string): unknown {
	try {
		const text = sessionStorage.getItem(key)
		return text === null ? undefined : JSON.parse(text)
	} catch {
		return undefined
	}
}
