import { schemaResolver, useForm, type UseFormReturnType } from '@mantine/form'
import { useState } from 'react'
import type { ZodMiniType } from 'zod/mini'
import { ApiError } from './api.ts'
import { useFormDraft, type FormDraft } from './drafts/use-form-draft.ts'
import { withoutErrorToasts } from './toast.tsx'
import { useAfterRender } from './ui/use-after-render.ts'
import { useAction } from './use-action.ts'

/** Messages by field path; the first one is shown first. */
export type FieldErrors = Record<string, string>

interface SchemaFormOptions<Values, Answer> {
	/**
	 * The endpoint's body schema, or a check that the server shares, so that both have the same messages. Focus moves to
	 * the first field that the check names, or for a schema to the first faulty field on screen.
	 */
	schema: ZodMiniType | ((values: Values) => FieldErrors)
	initialValues: Values
	/** Stores typed values under this name until the form is sent or closed. */
	draft?: string
	/** See `read` of `useFormDraft`. */
	readDraft?: (kept: unknown, initial: Values, base: unknown) => Values | null
	/** See `isKeptOnLeave` of `useFormDraft`. */
	isKeptOnLeave?: boolean
	/** Called before sending; false cancels, for example when the user declines a confirmation. */
	maySend?: () => Promise<boolean>
	/** Runs only with values that fit `schema`, and never twice concurrently. */
	submit: (values: Values) => Promise<Answer>
	/** Called after the server accepted the values and the draft was removed; the form stays busy until it resolves. */
	saved?: (answer: Answer) => Promise<unknown>
	/**
	 * Called when the call failed, after messages for single fields are shown at their inputs. Its error toasts are shown
	 * only when one of these inputs is not on screen, so that no error appears twice.
	 */
	failed?: (error: ApiError) => void
	/** Called when the values do not fit `schema`, after the first faulty input has received the focus. Toasts as in `failed`. */
	invalid?: (errors: Record<string, unknown>) => void
}

export interface SchemaForm<Values> {
	form: UseFormReturnType<Values>
	/** True from submit until the answer. */
	busy: boolean
	/** True while there is input that is neither saved nor being sent; false while the dialog of a saved form closes. */
	isUnsaved: boolean
	draft: FormDraft
	onSubmit: (event?: React.SyntheticEvent<HTMLFormElement>) => void
}

/**
 * Returns the state of a `Form`, which validates before sending and sends once. Errors clear on edit; the first faulty
 * input receives the focus, also after a refusal by the server.
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
	const [saved, setSaved] = useState<Values | null>(null)
	const draft = useFormDraft(form, { name, isBusy: busy, isKeptOnLeave, read })

	const focusFirst = (errors: Record<string, unknown>) => {
		const nodes = Object.keys(errors).map((path) => form.getInputNode(path))
		focusOn(typeof schema === 'function' ? nodes.find((node) => node !== null) : firstOnScreen(nodes))
	}
	const report = (errors: Record<string, unknown>, handle: () => void) => {
		const nodes = Object.keys(errors).map((path) => form.getInputNode(path))
		if (nodes.length > 0 && nodes.every((node) => node?.checkVisibility())) withoutErrorToasts(handle)
		else handle()
	}
	const send = async (values: Values) => {
		if (options.maySend && !(await options.maySend())) return
		const answer = await options.submit(values)
		draft.sent()
		setSaved(form.getValues())
		await options.saved?.(answer)
	}
	const focusAfterFailure = useAfterRender(focusFirst)
	const fail = (error: unknown) => {
		if (!(error instanceof ApiError)) throw error
		form.setErrors(error.fields)
		report(error.fields, () => options.failed?.(error))
		focusAfterFailure(error.fields)
	}
	// An error may unfold the part that has its input.
	const refuse = useAfterRender((errors: Record<string, unknown>) => {
		focusFirst(errors)
		report(errors, () => options.invalid?.(errors))
	})
	const submit = form.onSubmit((values) => run(() => send(values), fail), refuse)

	const isUnsaved = form.isDirty() && !busy && form.values !== saved
	return { form, busy, isUnsaved, draft, onSubmit: submit }
}

/** Returns the first message for each field. */
export function firstMessages(problems: readonly { field: string; message: string }[]): FieldErrors {
	const errors: FieldErrors = {}
	for (const { field, message } of problems) errors[field] ??= message
	return errors
}

/** Scrolls to an input or message and focuses it. */
export function focusOn(node: HTMLElement | null | undefined): void {
	node?.focus({ preventScroll: true })
	node?.scrollIntoView({ block: 'center', behavior: 'smooth' })
}

// Returns the topmost node, since the order of a schema's keys may differ from the order on screen; undefined when all
// are null.
function firstOnScreen(nodes: (HTMLElement | null)[]): HTMLElement | undefined {
	const found = nodes.filter((node) => node !== null)
	return found.toSorted((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1))[0]
}
