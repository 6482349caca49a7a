import { displayNumber } from '#lib/phone.ts'

interface PhoneNumberProps {
	/** In the canonical form. */
	number: string
}

/** A phone number as its country writes it; from left to right wherever it stands. */
export function PhoneNumber({ number }: PhoneNumberProps) {
	return (
		<bdi dir="ltr" className="figures">
			{displayNumber(number)}
		</bdi>
	)
}
