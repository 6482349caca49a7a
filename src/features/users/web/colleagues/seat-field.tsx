import { Radio, Stack } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { ColleagueSeat } from '#features/auth/contract.ts'
import { SEAT_HINTS, SEAT_NAMES } from '#features/auth/seat-names.ts'

export interface SeatValue {
	seat: ColleagueSeat
}

const SEATS = Object.keys(SEAT_NAMES) as ColleagueSeat[]

/** Renders the choice of a role, each with what it may do. */
export function SeatField<Values extends SeatValue>({ form }: { form: UseFormReturnType<Values> }) {
	return (
		<Radio.Group label="Role" required {...form.getInputProps('seat')}>
			<Stack gap={10} mt={8}>
				{SEATS.map((seat) => (
					<Radio key={seat} value={seat} label={SEAT_NAMES[seat]} description={SEAT_HINTS[seat]} />
				))}
			</Stack>
		</Radio.Group>
	)
}
