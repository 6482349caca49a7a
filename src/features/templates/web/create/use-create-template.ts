import { useState } from 'react'
import { templates, type TemplateRow } from '#features/templates/contract.ts'
import { templatePaths } from '#features/templates/paths.ts'
import { templateProblems } from '#features/templates/rules.ts'
import { newRequestId } from '#lib/request-id.ts'
import { call } from '#lib/web/api.ts'
import { uploadTransport } from '#lib/web/files/upload.ts'
import { firstMessages, useSchemaForm, type SchemaForm } from '#lib/web/form.ts'
import { invalidate } from '#lib/web/query.ts'
import { useNavigate } from '#lib/web/router/hooks.ts'
import { toast } from '#lib/web/toast.tsx'
import { templateError } from '../template-errors.ts'
import {
	bodyOf,
	draftOf,
	filesOf,
	readTemplateDraft,
	templateDraftName,
	type ChosenFiles,
	type TemplateFields,
} from './template-fields.ts'

interface CreateTemplateState extends SchemaForm<TemplateFields> {
	/** Uploaded share of the files, 0 to 1; null without an upload. */
	progress: number | null
	/** Error of the server or Meta that belongs to no field; null without one. */
	refusal: string | null
}

interface CreateTemplateOptions {
	initial: TemplateFields
	/** Template that is being copied; null for a new one. */
	original: TemplateRow | null
	files: ChosenFiles
}

/** Holds the form of a new template and submits it to Meta. */
export function useCreateTemplate({ initial, original, files }: CreateTemplateOptions): CreateTemplateState {
	const [progress, setProgress] = useState<number | null>(null)
	const [refusal, setRefusal] = useState<string | null>(null)
	const [requestId] = useState(newRequestId)
	const navigate = useNavigate()
	const state = useSchemaForm({
		draft: templateDraftName(original?._id ?? null),
		readDraft: readTemplateDraft,
		isKeptOnLeave: true,
		schema: (fields: TemplateFields) => firstMessages(templateProblems(draftOf(fields, files))),
		initialValues: initial,
		invalid: (errors) => {
			setRefusal(null)
			toast.error(String(Object.values(errors)[0]))
		},
		submit: (fields) => {
			setRefusal(null)
			return call(templates.create, {
				body: bodyOf(fields, { files, requestId }),
				files: filesOf(fields, files),
				...(files.size > 0 && { transport: uploadTransport(setProgress) }),
			})
		},
		saved: async ({ message, template }) => {
			toast.success(message)
			void invalidate(templates.list)
			// Does not navigate when the user has left the form meanwhile.
			if (location.pathname === templatePaths.create)
				await navigate(templatePaths.list, { state: { created: template._id } })
		},
		failed: (error) => {
			if (Object.keys(error.fields).length === 0) setRefusal(templateError(error, 'Failed to create template'))
			setProgress(null)
		},
	})
	return { ...state, progress, refusal }
}
