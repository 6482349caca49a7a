import { useState } from 'react'

export interface DialogFor<Subject> {
	/**
	 * The item; null before the first opening. Remains while the dialog fades out, so that the dialog's text does not
	 * vanish first.
	 */
	subject: Subject | null
	opened: boolean
	open: (subject: Subject) => void
	close: () => void
}

/** Returns the state of a dialog about one item, such as a table row. */
export function useDialogFor<Subject>(): DialogFor<Subject> {
	const [state, setState] = useState<{ subject: Subject | null; opened: boolean }>({ subject: null, opened: false })
	return {
		...state,
		open: (subject) => setState({ subject, opened: true }),
		close: () => setState((old) => ({ ...old, opened: false })),
	}
}
