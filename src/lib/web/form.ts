import { schemaResolver, useForm, type UseFormReturnType } from '@mantine/form'
import type { ZodMiniType } from 'zod/mini'
import { ApiError } from './api.ts'
import { useFormDraft, type FormDraft } from './drafts/use-form-draft.ts'
import { useAction } from './use-action.ts'

/** Messages by the path of a field, the one to put right first at the top. */
export type FieldErrors = Record<string, string>

interface SchemaFormOptions<Values, Answer> {
	/**
	 * The endpoint's own body shape, or a function that the server calls, too, so that both say the same words. The first field
	 * that a function names gets the focus; of a shape's, which have no order, the first on screen.
	 */
	schema: ZodMiniType | ((values: Values) => FieldErrors)
	initialValues: Values
	/** Keeps what is typed under this name until it is sent, or the form is closed. */
	draft?: string
	/** As `read` of `useFormDraft`. */
	readDraft?: (kept: unknown, initial: Values, base: unknown) => Values | null
	/** As of `useFormDraft`. */
	isKeptOnLeave?: boolean
	/** Before it is sent: false when it is not to be sent yet, such as where something has to be agreed to first. */
	maySend?: () => Promise<boolean>
	/** Only runs with values that fit `schema`, and never twice at once. */
	submit: (values: Values) => Promise<Answer>
	/** The server has it and the draft has gone; the form stays busy until this is done, too. */
	saved?: (answer: Answer) => Promise<unknown>
	/** For the toast. Messages for single fields are already at their inputs by then. */
	failed?: (error: ApiError) => void
	/** After an attempt that does not fit `schema`; the first faulty input already has the focus. */
	invalid?: (errors: Record<string, unknown>) => void
}

export interface SchemaForm<Values> {
	form: UseFormReturnType<Values>
	/** True from submit until the answer. */
	busy: boolean
	draft: FormDraft
	onSubmit: (event?: React.SyntheticEvent<HTMLFormElement>) => void
}

/**
 * The state of a `Form`, checked before it is sent and sent once, however often it is submitted. Errors clear on edit; the
 * first faulty input gets the focus, on the server's word, too.
 */
export function useSchemaForm<Values extends { [K in keyof Values]: unknown }, Answer = unknown>(
	options: SchemaFormOptions<Values, Answer>,
): SchemaForm<Values> {
	const { schema, draft: name, readDraft: read, isKeptOnLeave } = options
	const form = useForm<Values>({
		initialValues: options.initialValues,
		validate: typeof schema === 'function' ? schema : schemaResolver(schema, { sync: true }),
		clearInputErrorOnChange: true,
	})
	const { busy, run } = useAction()
	const draft = useFormDraft(form, { name, isBusy: busy, isKeptOnLeave, read })

	const focusFirst = (errors: Record<string, unknown>) => {
		const nodes = Object.keys(errors).map((path) => form.getInputNode(path))
		focusOn(typeof schema === 'function' ? nodes.find((node) => node !== null) : firstOnScreen(nodes))
	}
	const send = async (values: Values) => {
		if (options.maySend && !(await options.maySend())) return
		const answer = await options.submit(values)
		draft.sent()
		await options.saved?.(answer)
	}
	const fail = (error: unknown) => {
		if (!(error instanceof ApiError)) throw error
		form.setErrors(error.fields)
		options.failed?.(error)
		requestAnimationFrame(() => focusFirst(error.fields))
	}
	const refuse = (errors: Record<string, unknown>) => {
		focusFirst(errors)
		options.invalid?.(errors)
	}
	const submit = form.onSubmit((values) => run(() => send(values), fail), refuse)

	return { form, busy, draft, onSubmit: submit }
}

/** What a check says of each field first. */
export function firstMessages(problems: readonly { field: string; message: string }[]): FieldErrors {
	const errors: FieldErrors = {}
	for (const { field, message } of problems) errors[field] ??= message
	return errors
}

/** Leads to an input, or to what explains a refusal. */
export function focusOn(node: HTMLElement | null | undefined): void {
	node?.focus({ preventScroll: true })
	node?.scrollIntoView({ block: 'center', behavior: 'smooth' })
}

// The order of a schema's keys need not be the order on screen.
function firstOnScreen(nodes: (HTMLElement | null)[]): HTMLElement | undefined {
	const found = nodes.filter((node) => node !== null)
	return found.toSorted((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1))[0]
}
