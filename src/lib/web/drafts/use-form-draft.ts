import type { UseFormReturnType } from '@mantine/form'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { readToken } from '../session.ts'
import { draftOf, ontoSaved } from './draft-store.ts'

interface FormDraftOptions<Values> {
	/** The form and its subject, such as `contact:12`. Without a name nothing is stored. */
	name: string | undefined
	/** While it is being sent, what was typed stays as it is. */
	isBusy: boolean
	/** For a page's form, which may be left and come back to; a dialog's draft goes when the dialog is closed. */
	isKeptOnLeave?: boolean
	/** Parses a stored draft, which an older release may have written; null when it cannot be used. `base`: the form's values when it was opened. */
	read?: (kept: unknown, initial: Values, base: unknown) => Values | null
}

export interface FormDraft {
	/** `restored`: the form opened with what was typed before. `discarded`: that was put aside just now. */
	state: 'none' | 'restored' | 'discarded'
	startAfresh: () => void
	undo: () => void
}

/**
 * Keeps what is typed into a form until it is sent or discarded, so that it survives a reload, a crash and the end of a
 * session. Call `sent` when the server has it.
 */
export function useFormDraft<Values extends object>(
	form: UseFormReturnType<Values>,
	{ name, isBusy, isKeptOnLeave = false, read = ontoSaved }: FormDraftOptions<Values>,
): FormDraft & { sent: () => void } {
	const [opened] = useState(() => {
		const store = name === undefined ? null : draftOf(name)
		return { store, restored: store && read(store.read(), form.getInitialValues(), store.readBase()) }
	})
	const { store, restored } = opened
	const [state, setState] = useState<FormDraft['state']>(restored ? 'restored' : 'none')
	const isOpen = useRef(false)
	const discarded = useRef<Values | null>(null)
	const sentValues = useRef<Values | null>(null)
	const { values, setValues, getValues, getInitialValues, clearErrors } = form

	useLayoutEffect(() => {
		if (!restored || isOpen.current) return
		// Once: later edits must not be overwritten.
		isOpen.current = true
		setValues(restored)
	}, [restored, setValues])

	useEffect(() => {
		if (isBusy || values === sentValues.current || readToken() === null) return
		store?.write(values, getInitialValues())
	}, [store, isBusy, values, getInitialValues])

	useEffect(
		() => () => {
			// Without a token the session has ended: its person signs in again and gets the draft back.
			if (!isKeptOnLeave && readToken() !== null) store?.clear()
		},
		[store, isKeptOnLeave],
	)

	const replace = (next: Values) => {
		setValues(next)
		clearErrors()
	}
	const isUntouched = state === 'discarded' && JSON.stringify(values) === JSON.stringify(getInitialValues())
	return {
		state: state === 'discarded' && !isUntouched ? 'none' : state,
		startAfresh() {
			discarded.current = getValues()
			replace(getInitialValues())
			setState('discarded')
		},
		undo() {
			if (discarded.current) replace(discarded.current)
			setState('restored')
		},
		sent() {
			sentValues.current = getValues()
			store?.clear()
			setState('none')
		},
	}
}
