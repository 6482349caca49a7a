import { Checkbox } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'

/** Offered for marketing alone: WhatsApp holds back no other messages. */
export function SecondTry({ inputProps }: { inputProps: GetInputPropsReturnType }) {
	return (
		<Checkbox
			label="Try again when WhatsApp holds a message back"
			description="WhatsApp lets each person receive only so many offers from all shops together, and holds back the rest. With this ticked, a message that was held back is tried again a day later, and if need be 2 and then 4 days after that. You pay only when it goes out."
			{...inputProps}
		/>
	)
}
