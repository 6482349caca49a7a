import { formatDateTime, formatDay, formatStamp } from '#lib/dates.ts'
import { relativeTime } from '#lib/web/relative-time.ts'
import { useNow } from './use-now.ts'

const FORMATS = { datetime: formatDateTime, day: formatDay, stamp: formatStamp }

interface DateTimeProps {
	/** ISO 8601; none shows a dash. */
	iso: string | null | undefined
	/** `relative` refreshes by the minute. */
	as?: keyof typeof FORMATS | 'relative'
}

/** A point in time, in Indian time; what is short on screen is whole in the title. */
export function DateTime({ iso, as = 'datetime' }: DateTimeProps) {
	const now = useNow(as === 'relative')
	if (!iso) return <>-</>
	const isShort = as === 'relative' || as === 'day'
	return (
		<time dateTime={iso} title={isShort ? formatDateTime(iso) : undefined}>
			{as === 'relative' ? (
				<span className="figures">{relativeTime(iso, now)}</span>
			) : (
				<Parts text={FORMATS[as](iso)} />
			)}
		</time>
	)
}

/** Where both do not fit on one line, the time goes under the day. */
function Parts({ text }: { text: string }) {
	const [day = '', clock] = text.split(/(?<=,)\s|\s(?=\d\d:)/)
	return (
		<>
			<span className="figures">{day}</span>
			{clock && ' '}
			{clock && <span className="figures">{clock}</span>}
		</>
	)
}
