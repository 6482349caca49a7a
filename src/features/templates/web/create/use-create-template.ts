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
	/** The uploaded share of the header's file, 0 to 1; null without an upload. */
	progress: number | null
	/** The error of the server or Meta that belongs to no field. */
	refusal: string | null
	submit: () => void
}

interface CreateTemplateOptions {
	headerFile: File | null
	onCreated: () => void
}

/** Validates the form and submits the template to Meta; pressing the button twice submits once. */
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
		// Not if the user has left the form meanwhile.
		if (isOpen.current) await navigate(templatePaths.list, { state: { created: template._id } })
	}

	const submit = async () => {
		if (running.current) return
		setRefusal(null)
		const problems = templateProblems(draftOf(form.getValues(), headerFile))
		const [first] = problems
		if (first) {
			// Reversed, so that the first problem of each field wins.
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
			// Only after a failure: after a success the form stays busy until the screen is left, so that it saves no draft.
			running.current = false
			setBusy(false)
			setProgress(null)
		}
	}

	return { busy, progress, refusal, submit: () => void submit() }
}

/** Focuses the one of these fields that comes first on the screen. */
function focusFirst(paths: string[]): void {
	const [first] = [...document.querySelectorAll<HTMLElement>('[data-path]')].filter(({ dataset }) =>
		paths.includes(dataset['path'] ?? ''),
	)
	first?.focus({ preventScroll: true })
	first?.scrollIntoView({ block: 'center', behavior: 'smooth' })
}
