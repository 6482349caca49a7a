import { useState } from 'react'

export interface DialogFor<Subject> {
	/** Null only until the first opening: it stays while the dialog fades out, so that its words do not vanish first. */
	subject: Subject | null
	opened: boolean
	open: (subject: Subject) => void
	close: () => void
}

/** The state of a dialog that is about one thing at a time, such as a row of a table. */
export function useDialogFor<Subject>(): DialogFor<Subject> {
	const [state, setState] = useState<{ subject: Subject | null; opened: boolean }>({ subject: null, opened: false })
	return {
		...state,
		open: (subject) => setState({ subject, opened: true }),
		close: () => setState((old) => ({ ...old, opened: false })),
	}
}
