import type { UseFormReturnType } from '@mantine/form'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { readToken } from '../session.ts'
import { draftOf, ontoSaved } from './draft-store.ts'

interface FormDraftOptions<Values> {
	/** Form and subject, such as `contact:12`. Without a name nothing is stored. */
	name: string | undefined
	/** True while the form is being sent, when the draft stays unchanged. */
	isBusy: boolean
	/**
	 * True for a page's form, whose draft survives leaving the page. A dialog's draft is removed when the dialog closes.
	 */
	isKeptOnLeave?: boolean
	/**
	 * Parses a stored draft, possibly of an older release; null when unusable. `base` is the form's values when it opened.
	 */
	read?: (kept: unknown, initial: Values, base: unknown) => Values | null
}

export interface FormDraft {
	/** `restored`: the form opened with a draft. `discarded`: the user has just discarded it. */
	state: 'none' | 'restored' | 'discarded'
	startAfresh: () => void
	undo: () => void
}

/**
 * Stores typed values until the form is sent or discarded, so that they survive a reload, a crash and the end of a
 * session. Call `sent` after the server has accepted them.
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
		// Restores once, so that later edits are not overwritten.
		isOpen.current = true
		setValues(restored)
	}, [restored, setValues])

	useEffect(() => {
		if (isBusy || values === sentValues.current || readToken() === null) return
		store?.write(values, getInitialValues())
	}, [store, isBusy, values, getInitialValues])

	useEffect(
		() => () => {
			// Without a token the session has expired: the user gets the draft back after signing in.
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
