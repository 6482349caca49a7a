import { useForm } from '@mantine/form'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { slotLabel, slotsOf, valueError } from '#features/campaigns/rules.ts'
import { chats } from '#features/chats/contract.ts'
import { templates, type TemplateRow } from '#features/templates/contract.ts'
import { useFormDraft } from '#lib/web/drafts/use-form-draft.ts'
import { mutation, query, queryClient } from '#lib/web/query.ts'
import { chatToast } from '#lib/web/toast.tsx'
import { draftName } from '#lib/web/ui/state/use-draft-dialog.ts'
import { chatError } from '../chat-error.ts'
import { showSent } from '../chat-queries.ts'
import { report } from '../outbox.ts'
import { changed, readTemplateDraft, TEMPLATE_DRAFT, type TemplateMessage } from './template-draft.ts'

/** The form that sends a template to this number. */
export function useTemplateMessage(number: string, onSent: () => void) {
	const [initialValues] = useState(() => changed({ templateId: '', variables: {} }))
	const form = useForm<TemplateMessage>({ initialValues })
	const { templateId, variables, requestId } = form.values
	const { template, isReading } = useSendableTemplate(templateId)
	const [errors, setErrors] = useState<Record<string, string>>({})
	const sending = useMutation({
		...mutation(chats.sendTemplate),
		networkMode: 'always',
		onSuccess: ({ newMessage }) => {
			draft.sent()
			showSent(number, newMessage)
			report(newMessage)
			onSent()
		},
		onError: (error) =>
			chatToast.error(chatError(error, 'Failed to send message', 'Error sending message. Please try again.')),
	})
	const draft = useFormDraft(form, {
		name: draftName(TEMPLATE_DRAFT, { _id: number }),
		isBusy: sending.isPending,
		read: readTemplateDraft,
	})
	const change = (fields: Pick<TemplateMessage, 'templateId' | 'variables'>) => {
		setErrors({})
		form.setValues(changed(fields))
	}
	return {
		template,
		variables,
		errors,
		draft,
		isChosen: template !== null || isReading,
		isSending: sending.isPending,
		choose(chosen: TemplateRow | null) {
			// The list has the whole template, so it need not be fetched.
			if (chosen) queryClient.setQueryData(templateQuery(chosen._id).queryKey, chosen)
			change({ templateId: chosen?._id ?? '', variables: {} })
		},
		fill(key: string, value: string) {
			change({ templateId, variables: { ...variables, [key]: value } })
		},
		submit() {
			const found = errorsOf(template, variables)
			setErrors(found)
			if (Object.keys(found).length > 0 || !template || sending.isPending) return
			sending.mutate({ body: { number, templateId: template._id, variables, requestId } })
		},
	}
}

const templateQuery = (id: string) => query(templates.get, { params: { id } })

/** The template with this id; null also if a draft's template can no longer be sent. */
function useSendableTemplate(id: string): { template: TemplateRow | null; isReading: boolean } {
	const { data, isPending } = useQuery({ ...templateQuery(id), enabled: id !== '' })
	return {
		template: data?.status === 'APPROVED' && !data.isGone ? data : null,
		isReading: id !== '' && isPending,
	}
}

function errorsOf(template: TemplateRow | null, variables: Record<string, string>): Record<string, string> {
	if (!template) return { template: 'Please select a template' }
	const found = slotsOf(template.components).flatMap((slot) => {
		const error = valueError(variables[slot.key] ?? '')
		return error ? [[slot.key, `${slotLabel(slot, template.components)} ${error}`]] : []
	})
	return Object.fromEntries(found) as Record<string, string>
}
