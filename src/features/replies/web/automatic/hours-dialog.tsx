import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { BusinessHours, replies, type AutomaticSettings } from '#features/replies/contract.ts'
import { WEEKDAYS } from '#features/replies/hours-words.ts'
import { MAX_CLOSED_DAYS } from '#features/replies/rules.ts'
import { formatDay, indianDay } from '#lib/dates.ts'
import type { ResponseOut } from '#lib/endpoint.ts'
import { call } from '#lib/web/api.ts'
import { useSchemaForm, type SchemaForm } from '#lib/web/form.ts'
import { invalidate } from '#lib/web/query.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { FormButtons } from '#lib/web/ui/form/form-buttons.tsx'
import { FormDialog } from '#lib/web/ui/form/form-dialog.tsx'
import { Form } from '#lib/web/ui/form/form.tsx'
import type { DialogFor } from '#lib/web/ui/state/use-dialog-for.ts'

/** Renders the dialog for the business hours of the account. */
export function HoursDialog({ dialog }: { dialog: DialogFor<AutomaticSettings> }) {
	const { subject, close } = dialog
	return (
		<FormDialog dialog={dialog} title="Business hours" size={520}>
			{subject && <HoursForm settings={subject} onDone={close} />}
		</FormDialog>
	)
}

type Saved = ResponseOut<typeof replies.saveAutomatic>

const FIRST_DAY = { from: '10:00', until: '19:00' }
const FIRST_HOURS: BusinessHours = {
	week: WEEKDAYS.map((day) => (day === 'Sunday' ? null : FIRST_DAY)),
	closedDays: [],
}

function HoursForm({ settings, onDone }: { settings: AutomaticSettings; onDone: () => void }) {
	const [today] = useState(() => indianDay(Date.now()))
	const stored = settings.hours ?? FIRST_HOURS
	const state = useSchemaForm<BusinessHours, Saved>({
		schema: BusinessHours,
		draft: 'business-hours',
		// Days that are over have no effect any more.
		initialValues: { ...stored, closedDays: stored.closedDays.filter((day) => day >= today) },
		submit: (hours) => call(replies.saveAutomatic, { body: { hours } }),
		saved: async ({ message }) => {
			briefToast.success(message)
			await invalidate(replies.automatic)
			onDone()
		},
		failed: (error) => briefToast.failure(error, 'Failed to save the business hours'),
	})
	const { form } = state
	return (
		<Form state={state}>
			<p>Times are Indian time. If you close after midnight, enter that time, such as 2:00 am.</p>
			<Stack gap={8}>
				{WEEKDAYS.map((day, index) => (
					<DayHours key={day} form={form} day={day} index={index} />
				))}
			</Stack>
			<ClosedDays form={form} today={today} />
			<FormButtons>Save</FormButtons>
		</Form>
	)
}

type HoursFormProps = Pick<SchemaForm<BusinessHours>, 'form'>

function DayHours({ form, day, index }: HoursFormProps & { day: string; index: number }) {
	const open = form.values.week[index] ?? null
	return (
		<Group gap="6px 16px" mih={44} role="group" aria-label={day}>
			<Checkbox
				label={day}
				w={120}
				checked={open !== null}
				onChange={({ currentTarget }) => form.setFieldValue(`week.${index}`, currentTarget.checked ? FIRST_DAY : null)}
			/>
			{open ? (
				<Group gap={8} wrap="nowrap" align="start">
					<TextInput type="time" aria-label={`${day} from`} w={132} {...form.getInputProps(`week.${index}.from`)} />
					<TextInput type="time" aria-label={`${day} until`} w={132} {...form.getInputProps(`week.${index}.until`)} />
				</Group>
			) : (
				<span className="secondary">Closed</span>
			)}
		</Group>
	)
}

function ClosedDays({ form, today }: HoursFormProps & { today: string }) {
	const [day, setDay] = useState('')
	const { closedDays } = form.values
	const set = (days: readonly string[]) => form.setFieldValue('closedDays', [...new Set(days)].toSorted())
	return (
		<Stack gap={8}>
			<Group gap={8} align="end">
				<TextInput
					type="date"
					label="Closed on"
					min={today}
					max="2099-12-31"
					w={180}
					value={day}
					error={form.errors.closedDays}
					onChange={({ currentTarget }) => setDay(currentTarget.value)}
				/>
				<Button
					variant="default"
					disabled={!/^20\d\d-\d\d-\d\d$/.test(day) || day < today || closedDays.length >= MAX_CLOSED_DAYS}
					onClick={() => {
						set([...closedDays, day])
						setDay('')
					}}
				>
					Add day
				</Button>
			</Group>
			{closedDays.length > 0 && (
				<Group gap={6} role="group" aria-label="Closed days">
					{closedDays.map((closed) => (
						<Button
							key={closed}
							variant="light"
							size="compact-sm"
							rightSection={<IconX size={14} aria-hidden />}
							aria-label={`Remove ${formatDay(closed)}`}
							onClick={() => set(closedDays.filter((other) => other !== closed))}
						>
							{formatDay(closed)}
						</Button>
					))}
				</Group>
			)}
		</Stack>
	)
}
