import { Stack, Switch } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { chats, type PhoneAppSettings } from '#features/chats/contract.ts'
import { call } from '#lib/web/api.ts'
import { query, queryClient } from '#lib/web/query.ts'
import { chatToast } from '#lib/web/toast.tsx'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'

/** Renders the switches that import chats and contacts from the phone app; nothing for a number that is not in the app. */
export function PhoneApp() {
	const { data } = useQuery({ ...query(chats.phoneApp), staleTime: 0 })
	const [warnings, setWarnings] = useState<string[]>([])
	const saving = useMutation({
		mutationFn: (body: PhoneAppSettings) => call(chats.savePhoneApp, { body }),
		onSuccess(saved) {
			queryClient.setQueryData(query(chats.phoneApp).queryKey, (old) => old && { ...old, ...saved.settings })
			setWarnings(saved.warnings)
			if (saved.warnings.length === 0) chatToast.success(saved.message)
		},
		onError: (error) => chatToast.failure(error, 'Failed to save the settings'),
	})
	if (!data || (!data.isInApp && !data.history && !data.contacts)) return null
	const { history, contacts } = data
	return (
		<Stack component="section" gap={10} mt={20} aria-label="The WhatsApp Business app on your phone">
			<b>The WhatsApp Business app on your phone</b>
			<p className="small secondary">
				WhatsApp sends these once, within 24 hours after your number is connected. Switch on what you want to import.
			</p>
			<Switch
				label="Import chats of the last six months"
				checked={history}
				disabled={saving.isPending}
				onChange={(event) => saving.mutate({ history: event.currentTarget.checked, contacts })}
			/>
			<Switch
				label="Import contacts"
				description="They have not agreed to marketing. They get no marketing messages until they opt in, or you opt them in."
				checked={contacts}
				disabled={saving.isPending}
				onChange={(event) => saving.mutate({ history, contacts: event.currentTarget.checked })}
			/>
			{warnings.map((warning) => (
				<Notice key={warning} tone="warn" role="alert">
					{warning}
				</Notice>
			))}
		</Stack>
	)
}
