import { schemaResolver, useForm, type UseFormReturnType } from '@mantine/form'
import { useRef, useState } from 'react'
import type { ZodMiniType } from 'zod/mini'
import { ApiError } from './api.ts'
import { useFormDraft, type FormDraft } from './drafts/use-form-draft.ts'

interface SchemaFormOptions<Values, Answer> {
	/** The endpoint's own body shape, so that form and server say the same words. */
	schema: ZodMiniType
	initialValues: Values
	/** Keeps what is typed under this name until it is sent, or the form is closed. */
	draft?: string
	/** As `read` of `useFormDraft`. */
	readDraft?: (kept: unknown, initial: Values) => Values | null
	/** Only runs with values that fit `schema`, and never twice at once. */
	submit: (values: Values) => Promise<Answer>
	/** The server has it and the draft has gone; the form stays busy until this is done, too. */
	saved?: (answer: Answer) => Promise<unknown>
	/** For the toast. Messages for single fields are already at their inputs by then. */
	failed?: (error: ApiError) => void
	/** After an attempt that does not fit `schema`; the first faulty input already has the focus. */
	invalid?: (errors: Record<string, unknown>) => void
}

interface SchemaForm<Values> {
	form: UseFormReturnType<Values>
	/** True from submit until the answer: give it to the button, together with the busy text. */
	busy: boolean
	/** For `DraftNotice`. */
	draft: FormDraft
	onSubmit: (event?: React.SyntheticEvent<HTMLFormElement>) => void
}

/** A form whose rules are a zod shape: errors clear on edit, the first faulty input gets the focus, on the server's word too. */
export function useSchemaForm<Values extends Record<string, unknown>, Answer = unknown>(
	options: SchemaFormOptions<Values, Answer>,
): SchemaForm<Values> {
	const [busy, setBusy] = useState(false)
	const running = useRef(false)
	const form = useForm<Values>({
		initialValues: options.initialValues,
		validate: schemaResolver(options.schema, { sync: true }),
		clearInputErrorOnChange: true,
	})

	const { draft: name, readDraft: read } = options
	const draft = useFormDraft(form, { name, isBusy: busy, ...(read && { read }) })

	const focusFirst = (errors: Record<string, unknown>) => {
		const first = firstOnScreen(Object.keys(errors).map((path) => form.getInputNode(path)))
		first?.focus()
		first?.scrollIntoView({ block: 'center' })
	}

	const submit = async (values: Values) => {
		if (running.current) return
		running.current = true
		setBusy(true)
		try {
			const answer = await options.submit(values)
			draft.sent()
			await options.saved?.(answer)
		} catch (error) {
			if (!(error instanceof ApiError)) throw error
			form.setErrors(error.fields)
			options.failed?.(error)
			requestAnimationFrame(() => focusFirst(error.fields))
		} finally {
			running.current = false
			setBusy(false)
		}
	}

	const refuse = (errors: Record<string, unknown>) => {
		focusFirst(errors)
		options.invalid?.(errors)
	}

	return { form, busy, draft, onSubmit: (event) => form.onSubmit(submit, refuse)(event) }
}

// The order of a schema's keys need not be the order on screen.
function firstOnScreen(nodes: (HTMLElement | null)[]): HTMLElement | undefined {
	const found = nodes.filter((node) => node !== null)
	return found.toSorted((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1))[0]
}
