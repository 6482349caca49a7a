import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { templates } from '#features/templates/contract.ts'
import { templatePaths } from '#features/templates/paths.ts'
import { templateProblems } from '#features/templates/rules.ts'
import { newRequestId } from '#lib/request-id.ts'
import { ApiError, call } from '#lib/web/api.ts'
import { invalidate } from '#lib/web/query.ts'
import { toast } from '#lib/web/toast.tsx'
import { uploadTransport } from '#lib/web/upload.ts'
import { templateError } from '../template-errors.ts'
import type { SectionProps } from './section-props.ts'
import { bodyOf, draftOf } from './template-fields.ts'

interface CreateTemplateState {
	busy: boolean
	/** How much of the header's file has left, from 0 to 1; null while nothing is sent or there is no file. */
	progress: number | null
	/** What the server or Meta said, where it concerns no single field. */
	refusal: string | null
	submit: () => void
}

interface CreateTemplateOptions {
	headerFile: File | null
	onCreated: () => void
}

/** Checks the form and submits the template to Meta: once, however often the button is pressed. */
export function useCreateTemplate(form: SectionProps['form'], options: CreateTemplateOptions): CreateTemplateState {
	const [busy, setBusy] = useState(false)
	const [progress, setProgress] = useState<number | null>(null)
	const [refusal, setRefusal] = useState<string | null>(null)
	const [requestId] = useState(newRequestId)
	const running = useRef(false)
	const isOpen = useRef(true)
	useEffect(() => {
		isOpen.current = true
		return () => {
			isOpen.current = false
		}
	}, [])
	const navigate = useNavigate()
	const { headerFile } = options

	const refuse = (errors: Record<string, string>, { message, at }: { message: string; at: string[] }) => {
		form.setErrors(errors)
		toast.error(message)
		requestAnimationFrame(() => focusFirst(at))
	}

	const create = async () => {
		const { message, template } = await call(templates.create, {
			body: bodyOf(form.getValues(), { headerFile, requestId }),
			files: { header_file: headerFile },
			...(headerFile && { transport: uploadTransport(setProgress) }),
		})
		options.onCreated()
		toast.success(message)
		void invalidate(templates.list)
		// Who has gone elsewhere meanwhile stays there.
		if (isOpen.current) await navigate(templatePaths.list, { state: { created: template._id } })
	}

	const submit = async () => {
		if (running.current) return
		setRefusal(null)
		const problems = templateProblems(draftOf(form.getValues(), headerFile))
		const [first] = problems
		if (first) {
			// Of several sentences about a field, the first is the one to see there.
			const errors = Object.fromEntries(problems.toReversed().map(({ field, message }) => [field, message]))
			return refuse(errors, { message: first.message, at: [first.field] })
		}
		running.current = true
		setBusy(true)
		try {
			await create()
		} catch (error) {
			const message = templateError(error, 'Failed to create template')
			const fields = error instanceof ApiError ? error.fields : {}
			if (Object.keys(fields).length === 0) setRefusal(message)
			refuse(fields, { message, at: Object.keys(fields) })
			// After a success it stays busy: the screen is left, and its texts are no draft any more.
			running.current = false
			setBusy(false)
			setProgress(null)
		}
	}

	return { busy, progress, refusal, submit: () => void submit() }
}

/** Focuses the first of these fields on the screen, whatever their order. */
function focusFirst(paths: string[]): void {
	const [first] = [...document.querySelectorAll<HTMLElement>('[data-path]')].filter(({ dataset }) =>
		paths.includes(dataset['path'] ?? ''),
	)
	first?.focus({ preventScroll: true })
	first?.scrollIntoView({ block: 'center', behavior: 'smooth' })
}
