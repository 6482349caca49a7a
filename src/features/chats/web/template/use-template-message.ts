import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { valueProblems } from '#features/audiences/values.ts'
import { chats } from '#features/chats/contract.ts'
import { pricing, templatePriceOf } from '#features/pricing/contract.ts'
import { templates, type TemplateRow } from '#features/templates/contract.ts'
import { call } from '#lib/web/api.ts'
import { firstMessages, useSchemaForm, type FieldErrors, type SchemaForm } from '#lib/web/form.ts'
import { invalidate, query, queryClient } from '#lib/web/query.ts'
import { chatToast } from '#lib/web/toast.tsx'
import { draftName } from '#lib/web/ui/state/use-draft-dialog.ts'
import { chatError } from '../chat-error.ts'
import { showSent } from '../chat-queries.ts'
import { report } from '../outbox.ts'
import { changed, readTemplateDraft, TEMPLATE_DRAFT, type TemplateMessage } from './template-draft.ts'

export type TemplateMessageForm = ReturnType<typeof useTemplateMessage>

/** Returns the form that sends a template to this number. */
export function useTemplateMessage(number: string, onSent: () => void) {
	const [initialValues] = useState(() => changed({ templateId: '', variables: {} }))
	const state: SchemaForm<TemplateMessage> = useSchemaForm<TemplateMessage>({
		draft: draftName(TEMPLATE_DRAFT, { _id: number }),
		readDraft: readTemplateDraft,
		schema: (values) => errorsOf(template, values.variables),
		initialValues,
		submit: async (body) => {
			const shown = price && price.price !== null ? { price: String(price.price) } : {}
			const { newMessage } = await call(chats.sendTemplate, { body: { number, ...body, ...shown } })
			showSent(number, newMessage)
			report(number, newMessage)
			onSent()
		},
		failed: (error) => {
			chatToast.error(chatError(error, 'Failed to send message', 'Error sending message. Please try again.'))
			if (error.details?.['price']) void invalidate(pricing.mineByMarket)
		},
	})
	const { form } = state
	const { templateId, variables } = form.values
	const { template, isReading } = useSendableTemplate(templateId)
	const prices = useQuery(query(pricing.mineByMarket))
	const price = template && prices.data ? templatePriceOf(prices.data, { template, recipient: number }) : null
	const change = (fields: Pick<TemplateMessage, 'templateId' | 'variables'>) => form.setValues(changed(fields))
	return {
		state,
		template,
		prices,
		/** The price of the chosen template to this number; null until known. */
		price,
		/** True if a template is chosen, even while it is loading. */
		isChosen: template !== null || isReading,
		choose(chosen: TemplateRow | null) {
			// The list contains the whole template, so it is not fetched again.
			if (chosen) queryClient.setQueryData(templateQuery(chosen._id).queryKey, chosen)
			change({ templateId: chosen?._id ?? '', variables: {} })
		},
		fill(key: string, value: string) {
			change({ templateId, variables: { ...variables, [key]: value } })
		},
	}
}

const templateQuery = (id: string) => query(templates.get, { params: { id } })

/** Returns the template with this id; null while loading, and when the template cannot be sent. */
function useSendableTemplate(id: string): { template: TemplateRow | null; isReading: boolean } {
	const { data, isPending } = useQuery({ ...templateQuery(id), enabled: id !== '' })
	return {
		template: data?.status === 'APPROVED' && !data.isGone ? data : null,
		isReading: id !== '' && isPending,
	}
}

function errorsOf(template: TemplateRow | null, variables: Record<string, string>): FieldErrors {
	if (!template) return { templateId: 'Please select a template' }
	return firstMessages(valueProblems(template.components, variables, []))
}
