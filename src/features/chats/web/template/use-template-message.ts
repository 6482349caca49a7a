import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { slotLabel, slotsOf, valueError } from '#features/campaigns/rules.ts'
import { chats } from '#features/chats/contract.ts'
import type { TemplateRow } from '#features/templates/contract.ts'
import { newRequestId } from '#lib/request-id.ts'
import { mutation } from '#lib/web/query.ts'
import { chatToast } from '#lib/web/toast.tsx'
import { chatError } from '../chat-error.ts'
import { showSent } from '../chat-queries.ts'
import { report } from '../outbox.ts'

/** A template and its variables, until it is sent to this number. */
export function useTemplateMessage(number: string, onSent: () => void) {
	const [template, setTemplate] = useState<TemplateRow | null>(null)
	const [variables, setVariables] = useState<Record<string, string>>({})
	const [errors, setErrors] = useState<Record<string, string>>({})
	const [requestId, setRequestId] = useState(newRequestId)
	const sending = useMutation({
		...mutation(chats.sendTemplate),
		networkMode: 'always',
		onSuccess: ({ newMessage }) => {
			showSent(number, newMessage)
			report(newMessage)
			onSent()
		},
		onError: (error) =>
			chatToast.error(chatError(error, 'Failed to send message', 'Error sending message. Please try again.')),
	})
	// A changed message is another one: only a repeated attempt at the same may be taken for it.
	const isChanged = () => {
		setErrors({})
		setRequestId(newRequestId())
	}
	return {
		template,
		variables,
		errors,
		isSending: sending.isPending,
		choose(chosen: TemplateRow | null) {
			setTemplate(chosen)
			setVariables({})
			isChanged()
		},
		fill(key: string, value: string) {
			setVariables((old) => ({ ...old, [key]: value }))
			isChanged()
		},
		submit() {
			const found = errorsOf(template, variables)
			setErrors(found)
			if (Object.keys(found).length > 0 || !template || sending.isPending) return
			sending.mutate({ body: { number, templateId: template._id, variables, requestId } })
		},
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
