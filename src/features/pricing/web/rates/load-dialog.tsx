import { Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { RATE_FILE_BYTES, rates } from '#features/pricing/rate-contract.ts'
import { ApiError, call } from '#lib/web/api.ts'
import { invalidate, mutation } from '#lib/web/query.ts'
import { toast } from '#lib/web/toast.tsx'
import { useDelayed } from '#lib/web/ui/feedback/use-delayed.ts'
import { BusyButton } from '#lib/web/ui/form/busy-button.tsx'
import { FileDrop } from '#lib/web/ui/form/file-drop.tsx'
import { CancelButton } from '#lib/web/ui/form/form-buttons.tsx'
import { FormDialog } from '#lib/web/ui/form/form-dialog.tsx'
import type { DialogFor } from '#lib/web/ui/state/use-dialog-for.ts'
import { useAction } from '#lib/web/use-action.ts'
import { Difference } from './difference.tsx'

const TOO_LARGE = 'This file is larger than 2 MB, which no rate card is'
const DAY = /^\d{4}-\d\d-\d\d$/

/** Loads a rate card in two steps: the file is compared with the present rates, and stored once the admin confirms. */
export function LoadDialog({ dialog }: { dialog: DialogFor<true> }) {
	return (
		<FormDialog dialog={dialog} title="Load rate card" size={760}>
			{dialog.opened && <LoadForm onDone={dialog.close} />}
		</FormDialog>
	)
}

/** Holds the chosen file and day, and compares them with the present rates whenever one of them changes. */
function useComparison() {
	const [file, setFile] = useState<File | null>(null)
	const [day, setDay] = useState('')
	const [isTooLarge, setTooLarge] = useState(false)
	const comparing = useMutation({
		...mutation(rates.compare),
		onSuccess: ({ effectiveFrom }) => setDay(effectiveFrom ?? ''),
	})
	const compare = (chosen: File, effectiveFrom: string) =>
		comparing.mutate({ body: { effectiveFrom }, files: { file: chosen } })
	const error = comparing.error instanceof ApiError ? comparing.error : null
	const dayError = error?.fields['effectiveFrom']
	return {
		file,
		day,
		difference: comparing.isPending ? undefined : comparing.data,
		isComparing: comparing.isPending,
		dayError,
		fileError: isTooLarge ? TOO_LARGE : dayError === undefined ? error?.message : undefined,
		refuse: () => setTooLarge(true),
		choose(chosen: File | null) {
			setFile(chosen)
			setDay('')
			setTooLarge(false)
			comparing.reset()
			if (chosen) compare(chosen, '')
		},
		changeDay(typed: string) {
			setDay(typed)
			comparing.reset()
			if (file && DAY.test(typed)) compare(file, typed)
		},
	}
}

function LoadForm({ onDone }: { onDone: () => void }) {
	const { file, day, difference, isComparing, dayError, fileError, ...comparison } = useComparison()
	const { busy, run } = useAction()
	const isSlow = useDelayed(isComparing)
	const confirmation = difference?.confirmation ?? null
	const load = async () => {
		if (!file || confirmation === null) return
		const body = { effectiveFrom: day, confirmation }
		const { message } = await call(rates.load, { body, files: { file } })
		toast.success(message)
		await invalidate(rates.list, rates.summary)
		onDone()
	}
	return (
		<Stack gap={16}>
			<p>
				Download the rate card of your currency from WhatsApp’s pricing page in Meta for Developers and select it here
				without changes. Nothing is stored before you have seen the difference.
			</p>
			<FileDrop
				label="Drop WhatsApp’s rate card here or click to choose"
				hint="CSV or Excel, up to 2 MB"
				maxBytes={RATE_FILE_BYTES}
				file={file}
				onFile={comparison.choose}
				onReject={comparison.refuse}
				disabled={busy}
				{...errorOf(fileError)}
			/>
			{file && fileError === undefined && (
				<TextInput
					type="date"
					label="Effective from"
					description="The rates apply from this day. WhatsApp’s rates change on the first day of a quarter."
					required
					maw={420}
					value={day}
					onChange={({ currentTarget }) => comparison.changeDay(currentTarget.value)}
					error={
						dayError ??
						(difference?.effectiveFrom === null &&
							'The file does not say from which day its rates count. Enter the day')
					}
					disabled={busy}
				/>
			)}
			{isSlow && <Text role="status">Comparing...</Text>}
			{difference && <Difference difference={difference} />}
			<Group justify="flex-end" gap={8}>
				<CancelButton onClick={onDone} />
				<BusyButton
					busy={busy}
					busyText="Loading..."
					miw={128}
					disabled={confirmation === null}
					onClick={() => run(load, (failure) => toast.failure(failure, 'Failed to load the rates'))}
				>
					Load these rates
				</BusyButton>
			</Group>
		</Stack>
	)
}

function errorOf(error: string | undefined) {
	return error === undefined ? {} : { error }
}
