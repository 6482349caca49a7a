import { Checkbox } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'

/** Offered for marketing alone: WhatsApp holds back no other messages. */
export function SecondTry({ inputProps }: { inputProps: GetInputPropsReturnType }) {
	return (
		<Checkbox
			label="Send again what WhatsApp holds back"
			description="WhatsApp limits how many marketing messages a person gets from all businesses. Tick this to send held-back messages again after 1 day, then 2 days, then 4 days, each time as a campaign of their own, at most at the price of this one. You pay only for messages that are sent."
			{...inputProps}
		/>
	)
}
